package output

import (
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
)

// Session writes the lines of a session. It owns the session's id, which most of them have.
type Session struct {
	*Writer
	version string

	mu sync.Mutex // guards id
	id string
}

// NewSession returns a Session of a version of the CLI that writes to w.
func NewSession(w *Writer, version string) *Session { return &Session{Writer: w, version: version} }

// Version is the version of the CLI whose lines are written.
func (s *Session) Version() string { return s.version }

// ID is the id of the session.
func (s *Session) ID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.id
}

// SetID gives the session another id.
func (s *Session) SetID(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id = id
}

// Tell writes a line that ends with an id of its own and that of the session.
func (s *Session) Tell(pairs ...any) {
	s.Line(append(object.Of(pairs...), object.Member{Name: "uuid", Value: ids.UUID()}, object.Member{Name: "session_id", Value: s.ID()}))
}

// Note writes a line that ends with the id of the session and one of its own.
func (s *Session) Note(pairs ...any) {
	s.Line(append(object.Of(pairs...), object.Member{Name: "session_id", Value: s.ID()}, object.Member{Name: "uuid", Value: ids.UUID()}))
}

// Said writes a line of the type user that the CLI has made itself; more are its last members.
func (s *Session) Said(content any, more ...any) {
	o := object.Of("type", "user", "message", object.Of("role", "user", "content", content), "session_id", s.ID(), "parent_tool_use_id", nil,
		"uuid", ids.UUID(), "timestamp", ids.Now())
	s.Line(append(o, object.Of(more...)...))
}
