package sim

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
)

// checkpoints are copies of files from before the messages of the user whose turns have changed
// them.
type checkpoints struct {
	mu   sync.Mutex // guards list
	list []*checkpoint
}

// checkpoint has the files that the turn of a message has changed.
type checkpoint struct {
	message string
	files   map[string]*[]byte // by path below the working directory; nil where there was none
	order   []string
}

// maxCheckpoint is the largest file that is copied.
const maxCheckpoint = 10 << 20

// checkpointing reports whether files are copied.
func (s *Session) checkpointing() bool {
	return s.place.On("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING")
}

// mark begins the checkpoint of a message.
func (c *checkpoints) mark(message string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, &checkpoint{message: message, files: map[string]*[]byte{}})
}

// saveFile copies a file that a tool is about to change, once for each message. Files outside the
// working directory are left out.
func (s *Session) saveFile(u *toolUse) {
	if !s.checkpointing() || !slices.Contains([]string{"Write", "Edit", "MultiEdit", "NotebookEdit"}, u.name) {
		return
	}
	path := u.input.Text("file_path")
	if u.name == "NotebookEdit" {
		path = u.input.Text("notebook_path")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.place.Cwd(), path)
	}
	path, _ = filepath.Rel(s.place.Dir(), path)
	s.checkpoints.mu.Lock()
	defer s.checkpoints.mu.Unlock()
	n := len(s.checkpoints.list)
	if n == 0 || !filepath.IsLocal(path) {
		return
	}
	c := s.checkpoints.list[n-1]
	if _, saved := c.files[path]; saved {
		return
	}
	data, err := s.readInside(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.files[path] = nil
	case err != nil || len(data) > maxCheckpoint:
		return
	default:
		c.files[path] = &data
	}
	c.order = append(c.order, path)
}

// readInside reads a file of the working directory.
func (s *Session) readInside(path string) ([]byte, error) {
	root, err := os.OpenRoot(s.place.Dir())
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(path)
}

// since returns the files as they were before a message, and whether it has a checkpoint.
func (c *checkpoints) since(message string) (paths []string, files map[string]*[]byte, ok bool) {
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

// rewindFiles puts files back to what they were before a message.
func (s *Session) rewindFiles(_ context.Context, r object.Object) (reply, error) {
	if !s.checkpointing() {
		return reply{}, &controlError{text: "File rewinding is not enabled."}
	}
	paths, files, ok := s.checkpoints.since(r.Text("user_message_id"))
	if !ok {
		return reply{}, &controlError{text: "No file checkpoint found for this message."}
	}
	root, err := os.OpenRoot(s.place.Dir())
	if err != nil {
		return reply{}, err
	}
	defer root.Close()
	changed, insertions, deletions := []string{}, 0, 0
	for _, path := range paths {
		old := files[path]
		now, err := root.ReadFile(path)
		if err == nil == (old != nil) && (old == nil || bytes.Equal(*old, now)) {
			continue
		}
		changed = append(changed, filepath.Join(s.place.Dir(), path))
		var was []byte
		if old != nil {
			was = *old
		}
		added, removed := countLines(now, was)
		insertions += added
		deletions += removed
		if r.Bool("dry_run") {
			continue
		}
		if old == nil {
			err = root.Remove(path)
		} else {
			err = root.WriteFile(path, *old, 0o644)
		}
		if err != nil {
			return reply{}, err
		}
	}
	if r.Bool("dry_run") {
		return reply{body: object.Of("canRewind", true, "filesChanged", changed, "insertions", insertions, "deletions", deletions)}, nil
	}
	return reply{body: object.Of("canRewind", true, "skippedLinks", 0)}, nil
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

func init() {
	controls["rewind_files"] = control{serve: (*Session).rewindFiles}
}
