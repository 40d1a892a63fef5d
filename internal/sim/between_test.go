package sim_test

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/sim"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// slowReader is an SDK that reads no further than the line with a mark until it is let on.
type slowReader struct {
	mark string
	on   chan struct{}

	mu   sync.Mutex
	read bytes.Buffer
}

func (r *slowReader) Write(p []byte) (int, error) {
	r.mu.Lock()
	r.read.Write(p)
	r.mu.Unlock()
	if bytes.Contains(p, []byte(r.mark)) {
		<-r.on
	}
	return len(p), nil
}

func (r *slowReader) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.read.String()
}

func TestWhoeverReadsAResultFindsThatNoTurnIsPlayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// The message and the result fill what may wait for an SDK that does not read, so the turn
		// waits before the line that says that the session is idle.
		model, err := script.NewModel(&script.Script{Script: fakeapi.Script{Turns: []fakeapi.Turn{{Text: strings.Repeat("x", 3<<20)}}}})
		if err != nil {
			t.Fatal(err)
		}
		in, stdin := io.Pipe()
		stdout := &slowReader{mark: `"type":"assistant"`, on: make(chan struct{})}
		s := sim.New(sim.Config{
			Args: []string{"--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--replay-user-messages"},
			Dir:  t.TempDir(), Env: []string{"CLAUDE_CONFIG_DIR=" + t.TempDir(), "CLAUDE_CODE_SDK_READS_SESSION_STATE=1"},
			Model: model, Stdin: in, Stdout: stdout, Stderr: io.Discard,
		})
		done := make(chan int)
		go func() { done <- s.Run(t.Context()) }()
		write := func(text string) {
			if _, err := io.WriteString(stdin, text+"\n"); err != nil {
				t.Error(err)
			}
		}
		write(`{"type":"user","message":{"role":"user","content":"greet me"}}`)
		synctest.Wait()
		write(`{"type":"control_request","request_id":"e","request":{"subtype":"export_conversation"}}`)
		synctest.Wait()
		close(stdout.on)
		stdin.Close()
		<-done
		if got := stdout.String(); !strings.Contains(got, `"request_id":"e","response":{"text":`) {
			t.Error(got[max(0, len(got)-1000):])
		}
	})
}
