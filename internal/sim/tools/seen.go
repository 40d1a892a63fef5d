package tools

import (
	"regexp"

	"github.com/ccwire/ccwire/internal/object"
)

// seen is what the model knows of a file.
type seen struct {
	text string
	// partial says that the model does not know all of it.
	partial bool
	// followed says that the model is told of changes: it has written the file itself.
	followed bool
}

// seen returns what the model knows of a file, and whether it knows anything.
func (s *Set) seen(path string) (seen, bool) {
	path = s.absolute(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.files[path]
	return f, ok
}

// see notes what the model knows of a file.
func (s *Set) see(path string, f seen) {
	path = s.absolute(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[path] = f
}

// numbered finds the numbers of the lines that the model was shown of a file.
var numbered = regexp.MustCompile(`(?m)^\d+\t`)

// Recall notes what the model knows of a file by the use of a tool in an earlier run of the
// session.
func (s *Set) Recall(tool string, in object.Object, result string) {
	switch path := in.Text("file_path"); {
	case path == "":
	case tool == "Write":
		s.see(path, seen{text: in.Text("content"), followed: true})
	case tool == "Read" && !in.Has("offset") && !in.Has("limit"):
		s.see(path, seen{text: numbered.ReplaceAllString(result, "")})
	}
}

// stale reports whether a file is not as the model knows it.
func (f seen) stale(text string) bool { return !f.partial && !f.followed && f.text != text }
