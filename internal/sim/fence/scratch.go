package fence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// newScratch makes a folder for temporary files in a parent, which is made if it is not there. Its
// name begins with the number of this process: what a process that was killed has left is removed
// by the next one.
func newScratch(parent string) (dir string, err error) {
	for range 100 {
		if err := os.MkdirAll(parent, 0o700); err != nil {
			return "", err
		}
		removeLeft(parent)
		dir, err = os.MkdirTemp(parent, fmt.Sprintf("%d-", os.Getpid()))
		if !errors.Is(err, fs.ErrNotExist) { // another process may have removed the parent, as empty
			break
		}
	}
	return dir, err
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

// removeScratch removes what newScratch has made, and the parent if nothing else is in it.
func removeScratch(dir string) error {
	err := os.RemoveAll(dir)
	_ = os.Remove(filepath.Dir(dir)) // others may have something there
	return err
}
