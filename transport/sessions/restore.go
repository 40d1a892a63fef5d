package sessions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/object"
)

// Restore writes the transcripts of a session from a backend to where the CLI reads them, so that
// a CLI that works in dir can resume it; "" is the working directory of this process. A transcript
// that is there and has as many lines stays. The end of ctx ends it, also if the backend does not
// answer. A session that the backend does not have is an [ErrNotFound].
//
// The name of a long working directory's folder has a suffix on which versions of the CLI do not
// agree: see [Key].
func (s *Store) Restore(ctx context.Context, from Backend, id, dir string) (*Session, error) {
	if !isUUID(id) {
		return nil, fmt.Errorf("restoring session %q: %w", id, ErrBadID)
	}
	type outcome struct {
		session *Session
		err     error
	}
	done := make(chan outcome, 1)
	go func() { // ends with the backend's calls
		session, err := s.restore(ctx, from, id, realPath(dir))
		done <- outcome{session, err}
	}()
	var o outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		o.err = context.Cause(ctx)
	}
	if o.err != nil {
		return nil, fmt.Errorf("restoring session %s: %w", id, o.err)
	}
	return o.session, nil
}

func (s *Store) restore(ctx context.Context, from Backend, id, dir string) (*Session, error) {
	key := Key{Project: folderName(dir), Session: id}
	entries, err := from.Load(ctx, key)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, ErrNotFound
	}
	path := filepath.Join(s.projects, key.Project, id+".jsonl")
	subpaths, err := from.Subpaths(ctx, key)
	if err != nil {
		return nil, err
	}
	for _, subpath := range subpaths {
		if !isSubpath(subpath) {
			return nil, fmt.Errorf("%w: %q", errSubpath, subpath)
		}
		below := Key{Project: key.Project, Session: id, Subpath: subpath}
		entries, err := from.Load(ctx, below)
		if err == nil {
			err = restoreFile(ctx, filepath.Join(folderOf(path), filepath.FromSlash(subpath)), entries)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := restoreFile(ctx, folderOf(path), entries); err != nil { // last: what it refers to is there
		return nil, err
	}
	return &Session{id: id, path: path, project: dir}, nil
}

var errSubpath = errors.New("the subpath of a transcript is not one below its session")

// restoreFile writes a transcript, whose name has no extension yet, and what is kept beside it.
func restoreFile(ctx context.Context, name string, entries []codec.Raw) error {
	var lines, beside []byte
	count := 0
	for _, e := range entries {
		v, err := object.ParseExact(e)
		o, ok := v.(object.Object)
		switch {
		case err != nil:
			return fmt.Errorf("an entry of the backend: %w", err)
		case !ok:
			return fmt.Errorf("an entry of the backend: %w", errNotAnEntry)
		case o.Text("type") == "agent_metadata":
			beside = object.Append(nil, o.Without("type"))
		default:
			lines = append(object.Append(lines, o), '\n')
			count++
		}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	if beside != nil {
		if err := replaceFile(ctx, name+".meta.json", beside); err != nil {
			return err
		}
	}
	if count == 0 {
		return nil
	}
	there, err := os.ReadFile(name + ".jsonl")
	if err == nil && bytes.Count(there, []byte("\n")) >= count {
		return nil
	}
	return replaceFile(ctx, name+".jsonl", lines)
}

// replaceFile writes a file under another name first, so that nobody sees half of it.
func replaceFile(ctx context.Context, path string, text []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".restore-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if _, err := f.Write(text); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil { // nobody waits for it any more
		return err
	}
	return os.Rename(f.Name(), path)
}
