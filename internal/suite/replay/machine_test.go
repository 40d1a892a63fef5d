package replay

import (
	"context"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/recording"
)

// TestAReplaySaysAllUpToWhatItWaitsForAndEndsAsRecorded compares a replay with the model after each
// of many random actions. The bubble fails if a goroutine is left.
func TestAReplaySaysAllUpToWhatItWaitsForAndEndsAsRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 5 { // the cases of one check are too few for what is rare
			// Without the *testing.T: rapid would ask it for its deadline, which it does not have
			// in a bubble.
			rapid.Check(struct{ testing.TB }{t}, func(r *rapid.T) {
				m := newMachine(r)
				defer m.stop()
				r.Repeat(m.actions())
			})
		}
	})
}

// machine is the SDK's end of a session with a replay.
type machine struct {
	model
	in      *io.PipeWriter
	stdout  *io.PipeReader
	notify  chan string
	cancel  context.CancelFunc
	permits chan int // each is for so many bytes
	rest    string   // of a line that is half written
	goodIDs []string // that the SDK has not used
	tame    bool     // it does only what is recorded

	done   chan struct{}
	code   int    // valid once done is closed
	stderr string // likewise
	mu     sync.Mutex
	got    []byte // guarded by mu
}

func newMachine(r *rapid.T) *machine {
	// All draws come first: one that fails would leave what was started.
	d := drawRecording(r)
	tame, eager := rapid.Bool().Draw(r, "does as recorded"), rapid.Bool().Draw(r, "reads whatever comes")
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	m := &machine{
		model: model{steps: d.steps},
		in:    inW, stdout: outR, notify: make(chan string, 64), cancel: cancel,
		permits: make(chan int, 1024), done: make(chan struct{}),
		goodIDs: []string{"r1", "r2", "r3", "sdk-1", "sdk-2", "6f1d2c3b-0a9e-4aaa-8bbb-5d6c7b8a9f01", "6f1d2c3b-0a9e-4aaa-8bbb-5d6c7b8a9f02"},
		tame:    tame,
	}
	session := &Session{Entries: d.entries, Names: recording.NewNames(modelVersion, ""), Signals: m.notify}
	// Ends with the play; owns the inner ends of the pipes.
	go func() {
		m.code, m.stderr = session.Serve(ctx, inR, outW)
		inR.Close()
		outW.Close()
		close(m.done)
	}()
	go m.read() // ends with permits, or with the pipe
	if eager {
		m.permit(all)
	}
	return m
}

// stop ends everything that newMachine has started.
func (m *machine) stop() {
	m.cancel()
	m.in.Close()
	m.stdout.Close()
	close(m.permits)
	<-m.done
}

func (m *machine) read() {
	buf := make([]byte, 256)
	for n := range m.permits {
		for n > 0 {
			k, err := m.stdout.Read(buf[:min(n, len(buf))])
			m.mu.Lock()
			m.got = append(m.got, buf[:k]...)
			m.mu.Unlock()
			if err != nil {
				return
			}
			n -= k
		}
	}
}

func (m *machine) permit(n int) {
	if m.readable == all || len(m.permits) == cap(m.permits) {
		return
	}
	m.permits <- n
	if n == all {
		m.readable = all
	} else {
		m.readable += n
	}
}

// check compares what the replay has done with what it had to do.
func (m *machine) check(r *rapid.T) {
	r.Helper()
	synctest.Wait()
	m.run()
	m.mu.Lock()
	got := string(m.got)
	m.mu.Unlock()
	if diff := cmp.Diff(m.seen(), got); diff != "" {
		r.Fatalf("the SDK has read: -want +got\n%s", diff)
	}
	select {
	case <-m.done:
		if !m.ended {
			r.Fatalf("the play has ended with %d %q, not all of it was played", m.code, m.stderr)
		}
		if m.code != m.model.code || m.stderr != m.model.stderr {
			r.Fatalf("the play has ended with %d %q, want %d %q", m.code, m.stderr, m.model.code, m.model.stderr)
		}
	default:
		if m.ended {
			r.Fatalf("the play has not ended, want %d %q", m.model.code, m.model.stderr)
		}
	}
}

// write writes to the CLI.
func (m *machine) write(r *rapid.T, data string) {
	r.Helper()
	if data == "" {
		return
	}
	_, err := io.WriteString(m.in, data)
	if m.ended || m.closed {
		return
	}
	if err != nil {
		r.Fatalf("the CLI no longer reads: %v", err)
	}
	m.model.write(data)
}

// finish writes the rest of a line that is half written.
func (m *machine) finish(r *rapid.T) {
	if m.rest == "" {
		return
	}
	m.write(r, m.rest)
	m.rest = ""
	m.check(r)
}

// next returns the n lines that the recording has next, after finishing the one that is half
// written.
func (m *machine) next(r *rapid.T, n int) []sdkLine {
	m.finish(r)
	lines := m.expected()
	if m.closed || len(lines) < n {
		r.Skip("the recording has no more lines")
	}
	return lines[:n]
}

func (m *machine) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"": m.check,
		"the SDK writes the next line": func(r *rapid.T) {
			m.write(r, m.next(r, 1)[0].text+"\n")
		},
		"the SDK writes a piece of the next line": func(r *rapid.T) {
			line := m.next(r, 1)[0].text + "\n"
			cut := rapid.IntRange(0, len(line)-1).Draw(r, "cut")
			m.write(r, line[:cut])
			m.rest = line[cut:]
		},
		"the SDK writes the next two lines at once": func(r *rapid.T) {
			two := m.next(r, 2)
			m.write(r, two[0].text+"\n"+two[1].text+"\n")
		},
		"the SDK writes the members of the next line in another order": func(r *rapid.T) {
			m.write(r, m.next(r, 1)[0].reversed()+"\n")
		},
		"the SDK uses an id of its own": func(r *rapid.T) {
			line := m.next(r, 1)[0]
			if m.tame || len(m.goodIDs) == 0 || len(line.members) == 0 || line.members[0] != `"type":"control_request"` {
				r.Skip("no request")
			}
			id := rapid.SampledFrom(m.goodIDs).Draw(r, "id")
			m.goodIDs = slices.DeleteFunc(m.goodIDs, func(s string) bool { return s == id })
			m.write(r, object(line.members[0], `"request_id":"`+id+`"`, line.members[2]).text+"\n")
		},
		"the SDK reads a little": func(r *rapid.T) {
			m.permit(rapid.IntRange(1, 40).Draw(r, "bytes"))
		},
		"the SDK reads whatever comes": func(*rapid.T) { m.permit(all) },
		"the SDK sends the next signal": func(r *rapid.T) {
			var names []string
			for _, s := range m.steps[m.at:] {
				if s.kind == atSignal {
					names = append(names, s.text)
				}
			}
			if len(names) <= len(m.signals) {
				r.Skip("the recording has no more signals")
			}
			m.signal(names[len(m.signals)])
		},
		"the SDK closes its end when that is next": func(r *rapid.T) {
			if m.rest != "\n" { // the end of the input may stand for it
				m.finish(r)
			}
			if !slices.ContainsFunc(m.steps[m.at:], func(s step) bool { return s.kind == atEOF }) || len(m.expected()) > 0 && m.rest == "" {
				r.Skip("something is to be written before")
			}
			m.closeInput()
		},
		"something else happens": m.misbehave,
	}
}

func (m *machine) closeInput() {
	m.in.Close()
	m.rest = ""
	if !m.ended && !m.closed {
		m.model.close()
	}
}

func (m *machine) signal(name string) {
	if len(m.notify) == cap(m.notify) {
		return
	}
	m.notify <- name
	m.signals = append(m.signals, name)
}

// misbehave does what is not recorded.
func (m *machine) misbehave(r *rapid.T) {
	if m.tame {
		r.Skip("it does as recorded")
	}
	switch rapid.SampledFrom([]string{"wrong line", "wrong line", "signal", "close input", "close output", "cancel"}).Draw(r, "what") {
	case "wrong line":
		m.finish(r)
		m.write(r, rapid.SampledFrom([]string{"", "{}", "7", "no JSON", user("never said").text, request("r1", "never_asked").text, request("r1", "interrupt").text, "long 1 yy", "long 1"}).Draw(r, "line")+"\n")
	case "signal":
		m.signal(rapid.SampledFrom([]string{"INT", "TERM"}).Draw(r, "signal"))
	case "close input":
		m.closeInput()
	case "close output":
		m.stdout.Close()
		m.gone = true
	case "cancel":
		m.cancel()
		m.cancelled = true
	}
}
