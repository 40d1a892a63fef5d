// Package watch owns the files whose changes hooks want to see.
package watch

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/sim/life"
)

const (
	// lookEvery is the time between two looks at the files that are watched.
	lookEvery = 50 * time.Millisecond
	// maxWatched is how many files are watched.
	maxWatched = 1000
)

// Watcher are the files whose changes hooks want to see. Its methods may be called at the same
// time.
type Watcher struct {
	life *life.Life
	tell func(Change)

	mu    sync.Mutex // guards files
	files map[string]*watchedFile
}

// New returns a Watcher that calls tell with each change until the session ends.
func New(life *life.Life, tell func(Change)) *Watcher { return &Watcher{life: life, tell: tell} }

// watchedFile is the state of a file; nil if it is not there.
type watchedFile struct {
	told os.FileInfo // that hooks know of
	seen os.FileInfo // at the last look
}

// Watch adds files to those that are watched. The first ones start a goroutine that looks after
// them until the session ends.
func (w *Watcher) Watch(paths []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, path := range paths {
		if !filepath.IsAbs(path) || w.files[path] != nil || len(w.files) >= maxWatched {
			continue
		}
		if w.files == nil {
			w.files = map[string]*watchedFile{}
			w.life.Go(w.lookAfter)
		}
		is, _ := os.Stat(path) // nil if it is not there
		w.files[path] = &watchedFile{is, is}
	}
}

func (w *Watcher) lookAfter() {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-w.life.Context().Done():
			return
		}
		for _, c := range w.look() {
			w.tell(c)
		}
	}
}

// Change is what has happened to a file.
type Change struct {
	Path  string
	Event string // "add", "change" or "unlink"
}

// look returns what has changed. A file that is still being written is left for later.
func (w *Watcher) look() (list []Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(w.files)) {
		f := w.files[path]
		is, _ := os.Stat(path) // nil if it is not there
		steady := same(f.seen, is)
		f.seen = is
		if !steady || same(f.told, is) {
			continue
		}
		event := "change"
		switch {
		case f.told == nil:
			event = "add"
		case is == nil:
			event = "unlink"
		}
		f.told = is
		list = append(list, Change{path, event})
	}
	return list
}

// same reports whether a file is as it was.
func same(was, is os.FileInfo) bool {
	if was == nil || is == nil {
		return was == nil && is == nil
	}
	return was.ModTime().Equal(is.ModTime()) && was.Size() == is.Size()
}
