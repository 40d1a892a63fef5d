package script

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/place"
)

// Script is what the model says in one session.
type Script struct {
	fakeapi.Script
	// Tools are the results of tools that are not acted out, by name.
	Tools map[string]Results `json:"tools,omitempty"`
	// Faults are names of faults, NAME or NAME@WHERE.
	Faults []string `json:"faults,omitempty"`
	// ToolsAnywhere says that tools may leave the working directory.
	ToolsAnywhere bool `json:"tools_anywhere,omitempty"`
	// CLIVersion is the version of the CLI that is simulated; "" for the newest.
	CLIVersion string `json:"cli_version,omitempty"`
	// Recorded says how the script was recorded; nil for one that was not.
	Recorded *Recorded `json:"recorded,omitempty"`
	// Strict says which departures from the script are errors.
	Strict Strictness `json:"strict,omitempty"`
}

// Recorded says how a script was recorded.
type Recorded struct {
	Command []string `json:"command,omitempty"` // the program and its arguments; nil if it is not known
	Version string   `json:"version,omitempty"` // of the CLI
	Notes   []string `json:"notes,omitempty"`   // what the recording does not show
}

// Parse reads a script. Name is that of the file, for errors, which have their place.
func Parse(name string, data []byte) (*Script, error) {
	var s Script
	if err := place.Decode(name, data, &s); err != nil {
		return nil, err
	}
	if err := s.ValidateText(name, data); err != nil {
		return nil, err
	}
	for _, tool := range slices.Sorted(maps.Keys(s.Tools)) {
		if err := s.Tools[tool].check(s.Fills()); err != nil {
			return nil, ErrorAt(name, data, strconv.Quote(tool)+":", fmt.Errorf("tools: %s: %w", tool, err))
		}
	}
	if s.Strict != Lax {
		if err := s.CheckStrict(name, data); err != nil {
			return nil, err
		}
	}
	return &s, nil
}

// ErrorAt returns an error at the first place of a script that has a text.
func ErrorAt(name string, data []byte, text string, err error) error {
	return place.At(name, data, bytes.Index(data, []byte(text)), err)
}
