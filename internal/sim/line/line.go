// Package line declares the lines that the CLI writes: each is an ordered list of members, with the
// condition and the version under which a member is there.
package line

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/release"
)

// Line declares the lines that are made of a T: its members in the order in which they are written.
type Line[T any] []Member[T]

// Member is a member of a line.
type Member[T any] struct {
	Name  string
	Value func(v T) any  // object.Absent leaves the member out
	When  func(v T) bool // nil for always
	Since string         // the first version of the CLI that has it; "" for all
}

// Object is the line that a version of the CLI makes of v.
func (l Line[T]) Object(r *release.Release, v T) object.Object {
	o := make(object.Object, 0, len(l))
	for i := range l {
		m := &l[i]
		if m.When != nil && !m.When(v) || r.Before(m.Since) {
			continue
		}
		if value := m.Value(v); value != object.Absent {
			o = append(o, object.Member{Name: m.Name, Value: value})
		}
	}
	return o
}

// Session writes the lines of a session.
type Session interface {
	// Release is the version of the CLI whose lines are written.
	Release() *release.Release
	// Line writes a line, Tell one that ends with its own id and that of the session.
	Line(o object.Object)
	Tell(pairs ...any)
}

// Write writes the line that is made of v.
func (l Line[T]) Write(s Session, v T) { s.Line(l.Object(s.Release(), v)) }

// Tell writes the line that is made of v, with its own id and that of the session at the end.
func (l Line[T]) Tell(s Session, v T) { s.Tell(l.Object(s.Release(), v).Pairs()...) }

// Always is the value of a member that is the same in every line.
func Always[T any](value any) func(T) any { return func(T) any { return value } }

// Not turns a condition around.
func Not[T any](condition func(T) bool) func(T) bool { return func(v T) bool { return !condition(v) } }
