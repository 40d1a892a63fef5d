package driver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// strict decodes one JSON value and nothing else.
func strict(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more text after the JSON value")
	}
	return nil
}

// parseReport reads a line of a driver.
func parseReport(text []byte) (*Report, error) {
	r := &Report{}
	if err := strict(text, r); err != nil {
		return nil, err
	}
	switch r.Report {
	case Ready:
		if r.SDK == "" {
			return nil, errors.New("a ready report needs the name of the sdk")
		}
		for _, f := range r.Features {
			if !slices.Contains(Features, f) {
				return nil, fmt.Errorf("unknown feature %q", f)
			}
		}
	case Message:
		if r.Message == nil {
			return nil, errors.New("a message report needs the message")
		}
	case Callback:
		if r.Kind != "can_use_tool" && r.Kind != "hook" && r.Kind != "mcp_tool" {
			return nil, fmt.Errorf("unknown kind of callback %q", r.Kind)
		}
	case Done, Error:
		if r.ID == 0 {
			return nil, fmt.Errorf("a report %s needs the id of a command", r.Report)
		}
	case Cancelled, End:
	default:
		return nil, fmt.Errorf("unknown report %q", r.Report)
	}
	return r, nil
}
