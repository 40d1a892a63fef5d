package probe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/transport/cli"
)

const (
	// longestLine bounds a line of the CLI; a longer one ends the session.
	longestLine = 16 << 20
	// longestReply is how much of a reply is kept.
	longestReply = 400
	// startTime bounds the start of a session.
	startTime = 60 * time.Second
	// pollTime is how often a log is looked at.
	pollTime = 50 * time.Millisecond
)

// A session is a CLI that runs.
type session struct {
	peer  suite.Peer
	slow  time.Duration // how many times as long as usual everything may take
	ended chan struct{} // closed at the end of its output, by the reader
	news  chan struct{} // has an element after something was read

	mu      sync.Mutex // guards the fields below
	replies map[string]string
	whole   string          // the id of the request whose reply is kept as it is
	body    json.RawMessage // of that reply
}

// open starts a session with arguments beside the usual ones, and initializes it.
func (p *prober) open(ctx context.Context, args []string, files map[string][]byte) (*session, error) {
	peer, err := p.target.Start(ctx, &scenario.Scenario{File: scenario.File{Name: "probe/session", Files: files}, Args: args})
	if err != nil {
		return nil, err
	}
	s := &session{peer: peer, slow: p.slow(), ended: make(chan struct{}), news: make(chan struct{}, 1), replies: map[string]string{}}
	go s.read() // ends with the output, which ends with the CLI, which Close ends
	if !p.target.Version().AtLeast(cli.FeatureHooks.Since()) {
		return s, nil
	}
	const id = "ccwire_initialize"
	s.write(ctx, request(id, map[string]any{"subtype": "initialize"}), startTime)
	if !s.wait(ctx, startTime, func() bool { _, ok := s.reply(id); return ok }) {
		s.close()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("the CLI does not answer initialize: %s", lastLine(peer.Exit().Stderr))
	}
	return s, nil
}

func (s *session) close() {
	s.peer.Close()
	<-s.ended
}

// read takes the replies from the output.
func (s *session) read() {
	defer close(s.ended)
	lines := bufio.NewScanner(s.peer.Stdout())
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		var line struct {
			Type     string
			Response struct {
				Subtype   string
				RequestID string `json:"request_id"`
				Error     string
				Response  json.RawMessage
			}
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Type == "control_response" {
			r := line.Response
			text := r.Subtype
			if r.Error != "" {
				text += ": " + r.Error
			} else if len(r.Response) > 0 {
				text += ": " + string(r.Response)
			}
			s.mu.Lock()
			if _, again := s.replies[r.RequestID]; !again {
				s.replies[r.RequestID] = text[:min(len(text), longestReply)]
			}
			if r.RequestID == s.whole {
				s.body = bytes.Clone(r.Response)
			}
			s.mu.Unlock()
		}
		select {
		case s.news <- struct{}{}:
		default:
		}
	}
}

func (s *session) reply(id string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.replies[id]
	return text, ok
}

// ask sends a request and a fence and returns the body of the reply, nil if there is none.
func (s *session) ask(ctx context.Context, subtype string) json.RawMessage {
	id := "ccwire_" + subtype
	s.mu.Lock()
	s.whole = id
	s.mu.Unlock()
	fence, last := fenceLine(0)
	s.write(ctx, request(id, map[string]any{"subtype": subtype})+fence, fenceTime)
	s.wait(ctx, fenceTime, func() bool { _, ok := s.reply(last); return ok })
	s.wait(ctx, settle, func() bool { _, ok := s.reply(id); return ok })
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.body
}

// write sends text. A CLI that does not read it within the time gets no more of it.
func (s *session) write(ctx context.Context, text string, patience time.Duration) {
	done := make(chan struct{})
	go func() { // ends when the CLI has read the text or has ended
		defer close(done)
		_, _ = s.peer.Stdin().Write([]byte(text)) // what is not written is not answered
	}()
	t := time.NewTimer(patience * s.slow)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	case <-ctx.Done():
	case <-s.ended:
	}
}

// wait waits until cond holds. It is false if the session ends or the time is over before.
func (s *session) wait(ctx context.Context, patience time.Duration, cond func() bool) bool {
	over := time.NewTimer(patience * s.slow)
	defer over.Stop()
	poll := time.NewTicker(pollTime)
	defer poll.Stop()
	for {
		if cond() {
			return true
		}
		select {
		case <-s.news:
		case <-poll.C:
		case <-over.C:
			return cond()
		case <-ctx.Done():
			return false
		case <-s.ended:
			return cond()
		}
	}
}

// hear waits as wait does, for as long as replies come: the time is that of silence.
func (s *session) hear(ctx context.Context, silence time.Duration, cond func() bool) bool {
	for {
		before := s.count()
		if !s.wait(ctx, silence, func() bool { return cond() || s.count() > before }) {
			return false
		}
		if cond() {
			return true
		}
	}
}

func (s *session) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.replies)
}

// dead reports whether the CLI has ended.
func (s *session) dead() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// request returns the line of a control request.
func request(id string, body any) string {
	return line(map[string]any{"type": "control_request", "request_id": id, "request": body})
}

func line(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings in maps can be encoded
	}
	return string(text) + "\n"
}

// lastLine returns the last line of a text that is not blank.
func lastLine(text string) string {
	lines := bytes.Split(bytes.TrimSpace([]byte(text)), []byte("\n"))
	return string(lines[len(lines)-1])
}

// errTooMany says that a CLI leaves more names without an answer than it is worth to try alone.
var errTooMany = errors.New("too many names are without an answer")
