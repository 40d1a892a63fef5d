package vendoring

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Changes lists files by their slash-separated paths from the folder, sorted.
type Changes struct {
	Written []string `json:"written"`
	Removed []string `json:"removed"`
}

// None reports whether the folder is up to date.
func (c Changes) None() bool { return len(c.Written)+len(c.Removed) == 0 }

// A ConflictError lists files that the copy would overwrite or remove and that it has not written.
type ConflictError struct {
	Dir     string
	Foreign []string // not in the manifest
	Edited  []string // in the manifest, but changed since
}

func (e *ConflictError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: nothing was changed", e.Dir)
	if len(e.Foreign) > 0 {
		fmt.Fprintf(&b, "; protogen did not write %s: move it away, or choose another folder", strings.Join(e.Foreign, ", "))
	}
	if len(e.Edited) > 0 {
		fmt.Fprintf(&b, "; edited since protogen wrote it: %s: undo that, or use --force to lose the edits", strings.Join(e.Edited, ", "))
	}
	return b.String()
}

// Plan returns what Write would change. The error is a [*ConflictError] if it would touch files
// that are not its own.
func (c *Copy) Plan() (Changes, error) {
	var changes Changes
	old, err := readManifest(c.Dir)
	if err != nil {
		return changes, err
	}
	conflict := &ConflictError{Dir: c.Dir}
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		state, err := c.look(old, name)
		if err != nil {
			return changes, err
		}
		switch want := hash(c.files[name]); {
		case state.hash == want:
			continue
		case !state.exists || state.own || c.force && state.listed:
			changes.Written = append(changes.Written, name)
		case state.listed:
			conflict.Edited = append(conflict.Edited, name)
		default:
			conflict.Foreign = append(conflict.Foreign, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old.Files)) {
		if _, ok := c.files[name]; ok {
			continue
		}
		state, err := c.look(old, name)
		switch {
		case err != nil:
			return changes, err
		case !state.exists:
		case state.own || c.force:
			changes.Removed = append(changes.Removed, name)
		default:
			conflict.Edited = append(conflict.Edited, name)
		}
	}
	if len(conflict.Foreign)+len(conflict.Edited) > 0 {
		return Changes{}, conflict
	}
	return changes, nil
}

// fileState is what there is in the place of a file.
type fileState struct {
	exists bool
	listed bool   // in the manifest
	own    bool   // as the manifest says
	hash   string // of the contents
}

// look returns what is in the place of a file.
func (c *Copy) look(old manifest, name string) (fileState, error) {
	text, err := os.ReadFile(c.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return fileState{}, nil
	}
	if err != nil {
		return fileState{}, err
	}
	was, listed := old.Files[name]
	now := hash(text)
	return fileState{exists: true, listed: listed, own: listed && was == now, hash: now}, nil
}

// Write makes the folder hold the copy, and returns what it has changed.
func (c *Copy) Write() (Changes, error) {
	changes, err := c.Plan()
	if err != nil {
		return Changes{}, err
	}
	for _, name := range changes.Written {
		if err := writeFile(c.path(name), c.files[name]); err != nil {
			return Changes{}, err
		}
	}
	for _, name := range changes.Removed {
		if err := os.Remove(c.path(name)); err != nil {
			return Changes{}, err
		}
		if folder := path.Dir(name); folder != "." {
			os.Remove(c.path(folder)) // fails, as it should, unless it is empty
		}
	}
	return changes, c.writeManifest()
}

// writeManifest writes the manifest if it is not there as it should be.
func (c *Copy) writeManifest() error {
	text, err := newManifest(c.files, c.flags).text()
	if err != nil {
		return err
	}
	name := c.path(manifestName)
	if have, err := os.ReadFile(name); err == nil && hash(have) == hash(text) {
		return nil
	}
	return writeFile(name, text)
}

func (c *Copy) path(name string) string { return filepath.Join(c.Dir, filepath.FromSlash(name)) }

// writeFile replaces a file as a whole, so that a reader sees the old or the new text and nothing
// between.
func writeFile(name string, text []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".protogen-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone already if all goes well
	if _, err := temp.Write(text); err != nil {
		temp.Close()
		return err
	}
	if err := temp.Chmod(0o644); err != nil {
		temp.Close()
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}
