package sessions

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/codec"
)

// A Backend keeps transcripts elsewhere than on the disk of the CLI: in a database, in a bucket. A
// [Mirror] writes to it, [Store.Restore] reads it.
type Backend interface {
	// Append adds entries to a transcript, in their order. It may keep them, but not change them.
	// After an error it is called again with the same entries, so one whose uuid is there is left
	// out; some entries have none.
	Append(ctx context.Context, key Key, entries []codec.Raw) error
	// Load returns the entries of a transcript in their order, none if there is no such transcript.
	// Their members may have another order than when they came.
	Load(ctx context.Context, key Key) ([]codec.Raw, error)
	// Subpaths returns the subpaths of the transcripts below that of a session.
	Subpaths(ctx context.Context, key Key) ([]string, error)
}

// A Key names a transcript in a [Backend].
type Key struct {
	Project string // the folder of the working directory, such as "-home-me-work"
	Session string // the id
	// Subpath is that of a transcript below the one of the session, with slashes and without an
	// extension: "subagents/agent-a1". It is "" for that of the session.
	Subpath string
}

// keyOf returns the key of the transcript in a file, which may be of another system.
func keyOf(path string) (Key, bool) {
	path, ok := strings.CutSuffix(strings.ReplaceAll(path, `\`, "/"), ".jsonl")
	if !ok {
		return Key{}, false
	}
	parts := strings.Split(path, "/")
	for i := len(parts) - 1; i > 0; i-- {
		if isUUID(parts[i]) {
			k := Key{Project: parts[i-1], Session: parts[i], Subpath: strings.Join(parts[i+1:], "/")}
			return k, isSubpath(k.Project) && (k.Subpath == "" || isSubpath(k.Subpath)) // a backend may make paths of them
		}
	}
	return Key{}, false
}

// isSubpath reports whether a subpath names a file below the folder of its session, on every
// system.
func isSubpath(subpath string) bool {
	if strings.ContainsAny(subpath, "\\:\x00") {
		return false
	}
	for _, part := range strings.Split(subpath, "/") {
		if part == "" || strings.Trim(part, ".") == "" {
			return false
		}
	}
	return filepath.IsLocal(filepath.FromSlash(subpath))
}
