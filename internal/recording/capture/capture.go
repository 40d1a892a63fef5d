// Package capture writes recordings of scenarios, one file each. Recording the same version twice
// gives equal files, but for what a scenario says varies. A file is there in full or not at all.
package capture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// File is the path of a scenario's recording, below the folder of recordings.
func File(version, name string) string {
	return filepath.Join(version, filepath.FromSlash(name)+".ndjson")
}

// Scrubbed returns the recording of a scenario. If it did not hold, the header says why.
func Scrubbed(s *scenario.Scenario, version string, p *suite.Played) []recording.Entry {
	cwd, _ := p.Vars["cwd"].(string)
	scrub := recording.Scrubber{
		Names:    recording.NewNames(version, filepath.Dir(cwd)),
		Mentions: func(text string) bool { return strings.Contains(s.Text, text) },
		Wanted:   wantedOf(s),
		Stderr:   stderrOf(s),
	}
	for _, arg := range s.Earlier {
		scrub.Names.Hide(arg) // the CLI may repeat an id that is there
	}
	header := recording.Entry{Dir: recording.Header, Scenario: s.Name, Version: version, Args: suite.Arguments(s, p.Vars)}
	if p.Err != nil {
		header.Failed, header.Complete = p.Err.Error(), p.Complete
	}
	return scrub.Entries(append([]recording.Entry{header}, p.Entries...))
}

var textMatcher = regexp.MustCompile(`"\$re:(?:[^"\\]|\\.)*"`)

// wantedOf returns the expressions with which the scenario looks into texts.
func wantedOf(s *scenario.Scenario) (list []*regexp.Regexp) {
	for _, quoted := range textMatcher.FindAllString(s.Text, -1) {
		var text string
		if json.Unmarshal([]byte(quoted), &text) != nil {
			continue
		}
		if re, err := regexp.Compile(strings.TrimPrefix(text, "$re:")); err == nil {
			list = append(list, re)
		}
	}
	return list
}

func stderrOf(s *scenario.Scenario) (list []*regexp.Regexp) {
	for _, step := range s.Steps {
		if op, ok := step.Op.(scenario.Stderr); ok {
			list = append(list, op.Re)
		}
	}
	return list
}

// Write writes the recording to its file below dir. A session that was interrupted is not written:
// the error wraps [suite.ErrInterrupted].
func Write(dir string, s *scenario.Scenario, version string, p *suite.Played) error {
	if errors.Is(p.Err, suite.ErrInterrupted) {
		return fmt.Errorf("%s is not recorded: %w", s.Name, p.Err)
	}
	var b bytes.Buffer
	if err := recording.Write(&b, Scrubbed(s, version, p)); err != nil {
		return err
	}
	path := filepath.Join(dir, File(version, s.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return replace(path, b.Bytes())
}

// replace writes beside the file and then puts that in its place.
func replace(path string, data []byte) error {
	temp := path + ".tmp"
	err := os.WriteFile(temp, data, 0o644)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}
