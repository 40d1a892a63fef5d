package tools

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/ccwire/ccwire/internal/sim/fence"
)

// ErrOutside says that a path leads out of the working directory.
var ErrOutside = errors.New("outside the working directory")

// maxFile is how large a file may be that a tool reads whole.
const maxFile = 16 << 20

// absolute returns the path that a tool means.
func (s *Set) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(s.Now(), path)
}

// root is a folder in which tools use files.
type root struct {
	path string
	*os.Root
}

// local returns the folder that a path is in, and the path in there.
func (s *Set) local(path string) (root, string, error) {
	for _, r := range s.roots {
		if rel, err := filepath.Rel(r.path, s.absolute(path)); err == nil && filepath.IsLocal(rel) {
			return r, rel, nil
		}
	}
	return root{}, "", fmt.Errorf("%s: %w", path, ErrOutside)
}

func (s *Set) stat(path string) (fs.FileInfo, error) {
	if s.options.Outside {
		return os.Stat(s.absolute(path))
	}
	r, rel, err := s.local(path)
	switch {
	case err == nil:
		return r.Stat(rel)
	case fence.Public(s.absolute(path)):
		return os.Stat(s.absolute(path))
	}
	return nil, err
}

func (s *Set) readFile(path string) (_ []byte, err error) {
	var f *os.File
	if s.options.Outside {
		f, err = os.Open(s.absolute(path))
	} else {
		var r root
		var rel string
		switch r, rel, err = s.local(path); {
		case err == nil:
			f, err = r.Open(rel)
		case fence.Public(s.absolute(path)):
			f, err = os.Open(s.absolute(path))
		}
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, maxFile)
	}
	return data, err
}

// Contents returns what is in a file, as the tool Read would.
func (s *Set) Contents(path string) ([]byte, error) {
	switch info, err := s.stat(path); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return s.readFile(path)
}

// Listing is the names in a folder; those of folders end with a slash. It reports false for what is
// no folder, or may not be read.
func (s *Set) Listing(path string) (names []string, ok bool) {
	if info, err := s.stat(path); err != nil || !info.IsDir() {
		return nil, false
	}
	dir := s.absolute(path)
	if !s.options.Outside {
		r, rel, err := s.local(path)
		if err != nil {
			return nil, false
		}
		dir = filepath.Join(r.path, rel)
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, e.Name())
		if e.IsDir() {
			names[len(names)-1] += "/"
		}
	}
	return names, err == nil
}

func (s *Set) writeFile(path string, data []byte) error {
	if s.options.Outside {
		if err := os.MkdirAll(filepath.Dir(s.absolute(path)), 0o755); err != nil {
			return err
		}
		return os.WriteFile(s.absolute(path), data, 0o644)
	}
	r, rel, err := s.local(path)
	if err != nil {
		return err
	}
	if err := r.MkdirAll(filepath.Dir(rel), 0o755); err != nil {
		return err
	}
	return r.WriteFile(rel, data, 0o644)
}

// fileError is the result of a tool that could not use a file.
func (s *Set) fileError(path string, err error) Result {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Fail(s.noFile(path))
	case errors.Is(err, ErrOutside) || strings.Contains(err.Error(), "path escapes from parent"):
		return failf("%s is outside the working directory. The simulated CLI stays there, unless its script allows more.", path)
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return failf("ENOTDIR: not a directory, open '%s'", s.absolute(path))
	}
	return Fail(err.Error())
}

// noFile is the text for a file that is not there, with a name that is like it.
func (s *Set) noFile(path string) string {
	text := fmt.Sprintf("File does not exist. Note: your current working directory is %s.", s.Now())
	if like := s.like(path); like != "" {
		text += fmt.Sprintf(" Did you mean %s?", like)
	}
	return text
}

// like finds a file in the same folder whose name differs in its ending.
func (s *Set) like(path string) string {
	r, rel, err := s.local(path)
	if err != nil {
		return ""
	}
	list, err := fs.ReadDir(r.FS(), filepath.ToSlash(filepath.Dir(rel)))
	if err != nil {
		return ""
	}
	stem := func(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }
	for _, e := range list {
		if name := filepath.Base(rel); e.Name() != name && stem(e.Name()) == stem(name) && e.Type().IsRegular() {
			return e.Name()
		}
	}
	return ""
}
