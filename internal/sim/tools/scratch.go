package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// scratch returns the folder for what commands leave, which it makes at the first one. Its name
// begins with the number of this process: what a process that was killed has left is removed by the
// next one.
func (s *Set) scratch() (dir string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tmp != "" {
		return s.tmp, nil
	}
	for range 100 {
		if err := os.MkdirAll(s.options.Tmp, 0o700); err != nil {
			return "", err
		}
		removeLeft(s.options.Tmp)
		s.tmp, err = os.MkdirTemp(s.options.Tmp, fmt.Sprintf("%d-", os.Getpid()))
		if !errors.Is(err, fs.ErrNotExist) { // another process may have removed the parent, as empty
			break
		}
	}
	return s.tmp, err
}

// removeLeft removes the folders of processes that are gone.
func removeLeft(parent string) {
	list, _ := os.ReadDir(parent) // none if it cannot be read
	for _, entry := range list {
		number, _, _ := strings.Cut(entry.Name(), "-")
		if pid, err := strconv.Atoi(number); err == nil && pid != os.Getpid() && gone(pid) {
			_ = os.RemoveAll(filepath.Join(parent, entry.Name())) // the next one tries again
		}
	}
}
