package sim

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

const (
	// lookEvery is the time between two looks at the files that are watched.
	lookEvery = 50 * time.Millisecond
	// maxWatched is how many files are watched.
	maxWatched = 1000
)

// watcher are the files whose changes hooks want to see.
type watcher struct {
	mu    sync.Mutex // guards files
	files map[string]*watchedFile
}

// watchedFile is the state of a file; nil if it is not there.
type watchedFile struct {
	told os.FileInfo // that hooks know of
	seen os.FileInfo // at the last look
}

// watch adds files to those that are watched. The first ones start a goroutine that looks after
// them until the session ends.
func (s *Session) watch(paths []string) {
	w := &s.watched
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, path := range paths {
		if !filepath.IsAbs(path) || w.files[path] != nil || len(w.files) >= maxWatched {
			continue
		}
		if w.files == nil {
			w.files = map[string]*watchedFile{}
			s.life.Go(s.lookAfter)
		}
		is, _ := os.Stat(path) // nil if it is not there
		w.files[path] = &watchedFile{is, is}
	}
}

func (s *Session) lookAfter() {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-s.life.Context().Done():
			return
		}
		for _, c := range s.watched.look() {
			s.announce("FileChanged", s.lastOccasion(filepath.Base(c.path)), "file_path", c.path, "event", c.event)
		}
	}
}

// fileChange is what has happened to a file.
type fileChange struct{ path, event string }

// look returns what has changed. A file that is still being written is left for later.
func (w *watcher) look() (list []fileChange) {
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
		list = append(list, fileChange{path, event})
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
