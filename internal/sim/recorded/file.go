package recorded

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ccwire/ccwire/internal/recording"
)

// ReadFile reads the sessions of a file: a recording of a tap, several of them, or the log of a
// simulated CLI.
func ReadFile(name string) ([]*Session, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var order []*[]recording.Entry // of each session
	open := map[string]*[]recording.Entry{}
	dec := json.NewDecoder(file)
	for n := 1; ; n++ {
		var e recording.Entry
		err := dec.Decode(&e)
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) && n > 1 { // what a killed tap was about to write
			break
		}
		if err != nil || e.Dir == "" {
			return nil, fmt.Errorf("%s: entry %d is not one of a recording: protogen tap writes them", name, n)
		}
		if e.Dir == recording.Header || open[e.Key] == nil {
			open[e.Key] = new([]recording.Entry)
			order = append(order, open[e.Key])
		}
		*open[e.Key] = append(*open[e.Key], e)
	}
	var sessions []*Session
	for _, entries := range order {
		s, err := Read(*entries)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if last := (*entries)[len(*entries)-1]; last.Dir != recording.Exit {
			s.note("the recording has no end: what came after it is not in the script")
		}
		sessions = append(sessions, s)
	}
	return sessions, nil
}
