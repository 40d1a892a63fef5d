package output

import (
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/release"
)

// Session writes the lines of a session. It owns the session's id, which most of them have.
type Session struct {
	*Writer
	release *release.Release

	mu sync.Mutex // guards id
	id string
}

// NewSession returns a Session of a version of the CLI that writes to w.
func NewSession(w *Writer, r *release.Release) *Session { return &Session{Writer: w, release: r} }

// Release is the version of the CLI whose lines are written.
func (s *Session) Release() *release.Release { return s.release }

// Version is the name of that version, as the CLI tells it.
func (s *Session) Version() string { return s.release.String() }

// Line writes one line, as the version has it. One that it does not have is not written.
func (s *Session) Line(v object.Object) {
	if v, ok := s.release.Line(v); ok {
		s.Writer.Line(v)
	}
}

// Fit returns an object as the version has it.
func (s *Session) Fit(v object.Object) object.Object {
	v, _ = s.release.Line(v)
	return v
}

// Append writes the line that add appends, which ends with a line feed. It is [Session.Line] for
// lines that come fast.
func (s *Session) Append(add func([]byte) []byte) {
	if s.release.Newest() {
		s.Writer.Append(add)
		return
	}
	v, err := object.Parse(add(nil))
	if err != nil {
		panic(err) // the line is our own
	}
	s.Line(v.(object.Object))
}

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
