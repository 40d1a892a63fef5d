package sessions

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ListOptions say which sessions are listed. Nil means all.
type ListOptions struct {
	// Dir is the working directory whose sessions are listed, with those of the other worktrees of
	// its repository. "" means those of all.
	Dir         string
	NoWorktrees bool // leave out those of other worktrees
	Interactive bool // leave out those that a program has started
	Skip, Limit int  // how many are left out at the start, and how many are returned; no limit if 0
}

// List returns what the sessions are about, the one that was modified last first. Files that cannot
// be read, sessions of subagents, those that went on in another session and those with nothing to
// show are left out. The error is that of the context.
func (s *Store) List(ctx context.Context, o *ListOptions) ([]Info, error) {
	if o == nil {
		o = &ListOptions{}
	}
	files := s.files(ctx, o)
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(b.info.ModTime().Compare(a.info.ModTime()), cmp.Compare(b.id, a.id))
	})
	var list []Info
	seen := map[string]bool{}
	skip := o.Skip
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if seen[f.id] {
			continue
		}
		info := f.describe(o)
		if info == nil {
			continue
		}
		seen[f.id] = true
		if skip--; skip >= 0 {
			continue
		}
		if list = append(list, *info); o.Limit > 0 && len(list) == o.Limit {
			break
		}
	}
	return list, ctx.Err()
}

// A file is a transcript that may be listed.
type file struct {
	project
	id, path string
	info     os.FileInfo
}

func (s *Store) files(ctx context.Context, o *ListOptions) []file {
	var files []file
	for _, p := range s.listed(ctx, o) {
		for _, name := range transcripts(p.folder) {
			path := filepath.Join(p.folder, name)
			if info, err := os.Stat(path); err == nil {
				files = append(files, file{project: p, id: strings.TrimSuffix(name, ".jsonl"), path: path, info: info})
			}
		}
	}
	return files
}

// listed returns the folders whose sessions are asked for.
func (s *Store) listed(ctx context.Context, o *ListOptions) []project {
	if o.Dir == "" {
		return s.all()
	}
	dir := realPath(o.Dir)
	list := s.of(dir)
	if o.NoWorktrees {
		return list
	}
	trees := worktrees(ctx, dir)
	if len(trees) <= 1 {
		return list
	}
	for _, tree := range trees {
		for _, p := range s.of(tree) {
			if !slices.ContainsFunc(list, func(q project) bool { return samePath(q.folder, p.folder) }) {
				list = append(list, p)
			}
		}
	}
	own := append([]string{dir}, trees...)
	for i := range list {
		list[i].own = own
	}
	return list
}

func (f *file) describe(o *ListOptions) *Info {
	e, err := readEnds(f.path)
	if err != nil || o.Interactive && e.programmatic() || f.ofAnother(e) {
		return nil
	}
	if next := e.goesOnIn(); next != "" && next != f.id {
		if other, err := readEnds(filepath.Join(f.folder, next+".jsonl")); err == nil && other.talks() {
			return nil
		}
	}
	return describe(f.id, f.path, f.project.path, e)
}

// ofAnother reports whether a session is that of a working directory whose folder only has the same
// name.
func (f *file) ofAnother(e *ends) bool {
	if f.project.path == "" {
		return false
	}
	dir := e.startedIn()
	other := func(dir string) bool {
		return plainName(dir) == plainName(f.project.path) && !samePath(dir, f.project.path)
	}
	if dir == "" || within(dir, f.own) || !other(dir) {
		return false
	}
	real, err := filepath.EvalSymlinks(dir)
	return err == nil && other(real)
}

// talks reports whether there is a conversation in a transcript.
func (e *ends) talks() bool {
	for range forward(e.head, `"parentUuid"`) {
		return true
	}
	for range forward(e.tail, `"parentUuid"`) {
		return true
	}
	return e.size > endSize
}
