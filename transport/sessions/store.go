package sessions

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A Store is the folder in which the CLI keeps its sessions. It may be used concurrently.
type Store struct {
	projects string
}

// At returns the store in a config folder of the CLI.
func At(config string) *Store { return &Store{projects: filepath.Join(config, "projects")} }

// Default returns the store of the CLI that this process would start: that in CLAUDE_CONFIG_DIR, or
// in .claude in the home folder.
func Default() (*Store, error) {
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return At(dir), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, fmt.Errorf("finding the sessions: %w", err)
	}
	return At(filepath.Join(home, ".claude")), nil
}

// A project is a folder of the store, and the working directory that it is for.
type project struct {
	folder string
	path   string   // "" if it is not known
	own    []string // the working directories that were asked for, with those of other worktrees
}

// Find returns the session with an id. Dir is the working directory in which it was started or that
// of another worktree of the same repository; "" means any. A session that is not there is an
// [ErrNotFound].
func (s *Store) Find(ctx context.Context, id, dir string) (*Session, error) {
	if !isUUID(id) {
		return nil, fmt.Errorf("finding session %q: %w", id, ErrBadID)
	}
	var projects []project
	if dir == "" {
		projects = s.all()
	} else {
		own := realPath(dir)
		projects = s.of(own)
		for _, tree := range worktrees(ctx, own) {
			if tree != own {
				projects = append(projects, s.of(tree)...)
			}
		}
	}
	for _, p := range projects {
		path := filepath.Join(p.folder, id+".jsonl")
		info, err := os.Stat(path)
		if err == nil && info.Size() > 0 {
			return &Session{id: id, path: path, project: p.path}, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("finding session %s: %w", id, ErrNotFound)
}

// all returns the folders of all projects.
func (s *Store) all() []project {
	var list []project
	for _, name := range s.folders() {
		list = append(list, project{folder: filepath.Join(s.projects, name)})
	}
	return list
}

// folders returns the names of the folders in the store, sorted.
func (s *Store) folders() []string {
	entries, _ := os.ReadDir(s.projects) // a store that is not there has none
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// of returns the folders with the sessions of a working directory. There is more than one if its
// path is long: versions of the CLI do not agree about the suffix.
func (s *Store) of(path string) []project {
	var list []project
	name := folderName(path)
	exact := filepath.Join(s.projects, name)
	if info, err := os.Stat(exact); err == nil && info.IsDir() {
		list = append(list, project{folder: exact, path: path})
	}
	if len(name) <= longName {
		return list
	}
	for _, other := range s.folders() {
		folder := filepath.Join(s.projects, other)
		if other != name && strings.HasPrefix(other, name[:longName+1]) && startedIn(folder, path) {
			list = append(list, project{folder: folder, path: path})
		}
	}
	return list
}

// startedIn reports whether a session in a folder says that it was started in a working directory.
func startedIn(folder, path string) bool {
	for _, file := range transcripts(folder) {
		if e, err := readEnds(filepath.Join(folder, file)); err == nil && e.startedIn() == path {
			return true
		}
	}
	return false
}

// transcripts returns the names of the transcripts in a folder, sorted.
func transcripts(folder string) []string {
	entries, _ := os.ReadDir(folder) // what cannot be read has none
	var names []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && isUUID(id) {
			names = append(names, e.Name())
		}
	}
	return names
}

// gitPatience is how long git may take to list worktrees.
const gitPatience = 5 * time.Second

// worktrees returns the worktrees of the repository that a folder is in, none if git knows none.
func worktrees(ctx context.Context, dir string) []string {
	ctx, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	// The repository may be of others: nothing that it configures is run.
	git := exec.CommandContext(ctx, "git", "-c", "core.hooksPath="+os.DevNull, "-c", "core.fsmonitor=", "worktree", "list", "--porcelain")
	git.Dir = dir
	out, err := git.Output()
	if err != nil {
		return nil
	}
	var list []string
	for line := range strings.Lines(string(out)) {
		if path, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "worktree "); ok {
			list = append(list, filepath.FromSlash(path))
		}
	}
	return list
}
