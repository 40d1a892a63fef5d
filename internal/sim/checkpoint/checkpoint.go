// Package checkpoint owns the copies of files that let the user take back what turns have changed.
package checkpoint

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// Checkpoints are copies of files from before the messages of the user whose turns have changed
// them. Its methods may be called at the same time.
type Checkpoints struct {
	place *workspace.Workspace
	off   bool // none are made

	mu   sync.Mutex // guards list
	list []*checkpoint
}

// New returns the checkpoints of a session. Of one that is not kept on the disk none are made.
func New(place *workspace.Workspace, kept bool) *Checkpoints {
	return &Checkpoints{place: place, off: !kept}
}

// checkpoint has the files that the turn of a message has changed, or one before it, as they were
// before the message.
type checkpoint struct {
	message string
	files   map[string]*[]byte // by path below the working directory; nil where there was none
	order   []string
}

// maxCheckpoint is the largest file that is copied.
const maxCheckpoint = 10 << 20

// On reports whether files are copied.
func (c *Checkpoints) On() bool { return c.place.On("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING") }

// Mark begins the checkpoint of a message: the files that tools have changed before are copied.
func (c *Checkpoints) Mark(message string) {
	if c.off {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &checkpoint{message: message, files: map[string]*[]byte{}}
	if n := len(c.list); n > 0 {
		for _, path := range c.list[n-1].order {
			c.copyLocked(p, path)
		}
	}
	c.list = append(c.list, p)
}

// Save copies the file that a tool is about to change, once for each message. Files outside the
// working directory are left out.
func (c *Checkpoints) Save(tool string, input object.Object) {
	if !c.On() || !slices.Contains([]string{"Write", "Edit", "MultiEdit", "NotebookEdit"}, tool) {
		return
	}
	path := input.Text("file_path")
	if tool == "NotebookEdit" {
		path = input.Text("notebook_path")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.place.Cwd(), path)
	}
	path, _ = filepath.Rel(c.place.Dir(), path)
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.list)
	if n == 0 || !filepath.IsLocal(path) {
		return
	}
	c.copyLocked(c.list[n-1], path)
}

// copyLocked copies a file into a checkpoint, once.
func (c *Checkpoints) copyLocked(p *checkpoint, path string) {
	if _, saved := p.files[path]; saved {
		return
	}
	data, err := c.read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.files[path] = nil
	case err != nil || len(data) > maxCheckpoint:
		return
	default:
		p.files[path] = &data
	}
	p.order = append(p.order, path)
}

// read reads a file of the working directory.
func (c *Checkpoints) read(path string) ([]byte, error) {
	root, err := os.OpenRoot(c.place.Dir())
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(path)
}

// since returns the files as they were before a message, and whether it has a checkpoint.
func (c *Checkpoints) since(message string) (paths []string, files map[string]*[]byte, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.list, func(p *checkpoint) bool { return p.message == message && message != "" })
	if i < 0 {
		return nil, nil, false
	}
	files = map[string]*[]byte{}
	for _, p := range c.list[i:] {
		for _, path := range p.order {
			if _, known := files[path]; !known {
				files[path] = p.files[path]
				paths = append(paths, path)
			}
		}
	}
	return paths, files, true
}

// Change is what taking files back changes.
type Change struct {
	Files                 []string
	Insertions, Deletions int
}

// ErrNone says that a message has no checkpoint.
var ErrNone = errors.New("the message has no checkpoint")

// Rewind puts files back to what they were before a message, unless it is only to say what that
// would change.
func (c *Checkpoints) Rewind(message string, dry bool) (*Change, error) {
	paths, files, ok := c.since(message)
	if !ok {
		return nil, ErrNone
	}
	dir := c.place.Dir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	change := &Change{Files: []string{}}
	for _, path := range paths {
		old := files[path]
		now, err := root.ReadFile(path)
		if err == nil == (old != nil) && (old == nil || bytes.Equal(*old, now)) {
			continue
		}
		change.Files = append(change.Files, filepath.Join(dir, path))
		var was []byte
		if old != nil {
			was = *old
		}
		added, removed := countLines(now, was)
		change.Insertions += added
		change.Deletions += removed
		switch {
		case dry:
			err = nil
		case old == nil:
			err = root.Remove(path)
		default:
			err = root.WriteFile(path, *old, 0o644)
		}
		if err != nil {
			return nil, err
		}
	}
	return change, nil
}

// countLines counts the lines that a change from one text to another adds and removes, in any
// order.
func countLines(from, to []byte) (added, removed int) {
	count := map[string]int{}
	for line := range bytes.Lines(to) {
		count[string(line)]++
	}
	for line := range bytes.Lines(from) {
		count[string(line)]--
	}
	for _, n := range count {
		if n > 0 {
			added += n
		} else {
			removed -= n
		}
	}
	return added, removed
}
