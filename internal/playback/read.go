package playback

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ccwire/ccwire/internal/recording"
)

// ErrNoRecording says that a file has something else than a recording.
var ErrNoRecording = errors.New("not a recording: its lines have no dir")

// Read reads a recording. It may lack its start or its end, as one that was edited may.
func Read(r io.Reader) (entries []recording.Entry, err error) {
	d := json.NewDecoder(r)
	for {
		var e recording.Entry
		err := d.Decode(&e)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", len(entries)+1, err)
		}
		if e.Dir == "" {
			return nil, ErrNoRecording
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return nil, ErrNoRecording
	}
	return entries, nil
}

// Args returns the arguments that the CLI was started with.
func Args(entries []recording.Entry) []string {
	for i := range entries {
		if entries[i].Dir == recording.Header {
			return entries[i].Args
		}
	}
	return nil
}

// ExitCode returns what the CLI ended with, 0 if that is not known.
func ExitCode(entries []recording.Entry) int {
	for i := range entries {
		if e := &entries[i]; e.Dir == recording.Exit && e.Code != nil {
			return *e.Code
		}
	}
	return 0
}
