package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite/lines"
)

// ExitStray is the exit code for an SDK that leaves the recording.
const ExitStray = 70

// Session is one play of a recording.
type Session struct {
	// Entries is the recording.
	Entries []recording.Entry
	// Names has the folders and the version of this session.
	Names *recording.Names
	// Signals, if set, yields the names of the signals that arrive.
	Signals <-chan string
}

// errGone says that the SDK no longer reads.
var errGone = errors.New("the SDK has closed its end of the output")

// strayError says where the SDK has left the recording.
type strayError struct{ want, got string }

func (e *strayError) Error() string {
	return fmt.Sprintf("the SDK has left the recording: waited for %s, got %s", e.want, e.got)
}

// Serve plays the recording on two streams and returns the exit code and what goes to stderr. When
// ctx ends it starts no other entry and returns 1; a write that blocks ends when the SDK reads or
// closes its end.
func (s *Session) Serve(ctx context.Context, in io.Reader, out io.Writer) (code int, stderr string) {
	p := &playing{Session: s, in: lines.Read(in, nil), out: out}
	for i := range s.Entries {
		e := &s.Entries[i]
		if ctx.Err() != nil {
			return 1, ""
		}
		if e.Dir == recording.Exit {
			code := 0
			if e.Code != nil {
				code = *e.Code
			}
			return code, s.Names.Show(e.Stderr)
		}
		if err := p.entry(ctx, e); err != nil {
			if errors.Is(err, errGone) || ctx.Err() != nil {
				return 1, ""
			}
			return ExitStray, "replay: " + err.Error() + "\n"
		}
	}
	return 0, ""
}

type playing struct {
	*Session
	in    *lines.Queue
	out   io.Writer
	carry []byte // what the SDK wrote in the recording without a LF after it
}

func (p *playing) entry(ctx context.Context, e *recording.Entry) error {
	switch e.Dir {
	case recording.ToSDK:
		data, err := e.Bytes()
		if err != nil {
			return err
		}
		if _, err := io.WriteString(p.out, p.Names.Show(string(data))); err != nil {
			return errGone
		}
	case recording.ToCLI:
		data, err := e.Bytes()
		if err != nil {
			return err
		}
		p.carry = append(p.carry, data...)
		if e.Truncated > 0 {
			p.carry = nil
			return p.long(ctx, e)
		}
		for {
			line, rest, found := bytes.Cut(p.carry, []byte("\n"))
			if !found {
				return nil
			}
			p.carry = rest
			if err := p.line(ctx, line); err != nil {
				return err
			}
		}
	case recording.EOF:
		return p.eof(ctx)
	case recording.Signal:
		select {
		case got := <-p.Signals:
			if got != e.Line {
				return &strayError{"signal " + e.Line, "signal " + got}
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	case Hang:
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return nil
}

// Hang is an entry at which the CLI says nothing more. No recording has it; a test may add it.
const Hang recording.Dir = "hang"

// line waits for one line of the SDK and compares it with the recorded one.
func (p *playing) line(ctx context.Context, want []byte) error {
	got, err := p.in.Take(ctx)
	if err == io.EOF {
		return &strayError{brief(want), "the end of the input"}
	}
	if err != nil {
		return err
	}
	hidden := []byte(p.Names.Hide(string(got)))
	if sameJSON(want, hidden) {
		return nil
	}
	return &strayError{brief(want), brief(got)}
}

// long waits for a line of which the recording has only the start.
func (p *playing) long(ctx context.Context, e *recording.Entry) error {
	got, err := p.in.Take(ctx)
	if err == io.EOF {
		return &strayError{fmt.Sprintf("a line of %d bytes", e.Truncated), "the end of the input"}
	}
	if err != nil {
		return err
	}
	if len(got) != e.Truncated || !bytes.HasPrefix(got, []byte(e.Line)) {
		return &strayError{fmt.Sprintf("a line of %d bytes", e.Truncated), fmt.Sprintf("one of %d", len(got))}
	}
	return nil
}

// eof waits for the end of the SDK's output.
func (p *playing) eof(ctx context.Context) error {
	if len(p.carry) > 0 {
		want := p.carry
		p.carry = nil
		if err := p.line(ctx, want); err != nil {
			return err
		}
	}
	got, err := p.in.Take(ctx)
	switch {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	}
	return &strayError{"the end of the input", brief(got)}
}

func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func brief(line []byte) string {
	if len(line) > 300 {
		return string(line[:300]) + "…"
	}
	return string(line)
}
