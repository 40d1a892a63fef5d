package npm

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Installed is a version in the cache.
type Installed struct {
	Version string `json:"version"`
	Path    string `json:"path"` // of the executable
	Bytes   int64  `json:"bytes"`
}

// ErrNotInstalled says that a version is not in the cache.
var ErrNotInstalled = errors.New("not installed")

// Find returns a version that is installed. The error wraps [ErrNotInstalled] if it is not.
func (c *Cache) Find(version string) (*Installed, error) {
	if !exactVersion.MatchString(version) {
		return nil, fmt.Errorf("%q is not a version", version)
	}
	dir := filepath.Join(c.Dir, version)
	path, err := executable(dir)
	if err != nil {
		return nil, fmt.Errorf("version %s is %w in %s", version, ErrNotInstalled, c.Dir)
	}
	size, err := sizeOf(dir)
	if err != nil {
		return nil, err
	}
	return &Installed{version, path, size}, nil
}

// List returns the versions that are installed, sorted by the names of their folders.
func (c *Cache) List() (list []*Installed, err error) {
	entries, err := os.ReadDir(c.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if !exactVersion.MatchString(e.Name()) {
			continue // an installation that has not ended
		}
		one, err := c.Find(e.Name())
		if errors.Is(err, ErrNotInstalled) {
			continue // for another platform
		}
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// sizeOf adds up the files below dir.
func sizeOf(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}

// Remove removes a version from the cache, if it is there.
func (c *Cache) Remove(version string) error {
	if !exactVersion.MatchString(version) {
		return fmt.Errorf("%q is not a version", version)
	}
	return os.RemoveAll(filepath.Join(c.Dir, version))
}
