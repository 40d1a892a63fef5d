package settings

import "os"

// files are the sources that are files.
var files = []Source{User, Project, Local}

// Look notes how the files are now.
func (s *Store) Look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = s.look()
}

func (s *Store) look() map[Source]os.FileInfo {
	seen := map[Source]os.FileInfo{}
	for _, source := range files {
		seen[source], _ = os.Stat(s.Path(source)) // nil if it is not there
	}
	return seen
}

// Changed returns the files that have changed since they were looked at last, and looks at them.
func (s *Store) Changed() (list []Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.look()
	for _, source := range files {
		if !same(s.seen[source], now[source]) {
			list = append(list, source)
		}
	}
	s.seen = now
	return list
}

// same reports whether a file is as it was.
func same(was, is os.FileInfo) bool {
	if was == nil || is == nil {
		return was == nil && is == nil
	}
	return was.ModTime().Equal(is.ModTime()) && was.Size() == is.Size()
}
