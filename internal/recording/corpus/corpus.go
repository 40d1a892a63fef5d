// Package corpus is the corpus: what real CLIs and an SDK wrote, in the form of package
// recording. All tests that need recorded lines read them here.
//
//	VERSION/AREA/NAME.ndjson       a scenario, as protogen record wrote it
//	sessions/VERSION/NAME.ndjson   a session that no scenario plays
//
// The files are in conformance/recordings. Tools compare versions by their scenarios. Another
// session is kept only for shapes that no scenario shows.
package corpus

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ccwire/ccwire"
	"github.com/ccwire/ccwire/internal/recording"
)

// files holds the corpus.
var files = must(fs.Sub(ccwire.Recordings, "conformance/recordings"))

func must(fsys fs.FS, err error) fs.FS {
	if err != nil {
		panic(err) // the name is well formed
	}
	return fsys
}

// sessions is the folder of sessions that are not scenarios.
const sessions = "sessions"

// Versions returns the versions with recorded scenarios, the oldest first.
func Versions() []string { return slices.Clone(versions()) }

// Newest returns the newest version with recorded scenarios.
func Newest() string { return versions()[len(versions())-1] }

var versions = sync.OnceValue(func() []string {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic(err) // the files are built in
	}
	var list []string
	for _, e := range entries {
		if e.Name() != sessions {
			list = append(list, e.Name())
		}
	}
	slices.SortFunc(list, Compare)
	return list
})

// Compare compares versions such as 2.1.90 and 2.1.200 number by number.
func Compare(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	})
}

// NotNewer returns the newest version with recorded scenarios that is not newer than the given one,
// "" if all are.
func NotNewer(version string) (newest string) {
	for _, v := range versions() {
		if Compare(v, version) <= 0 {
			newest = v
		}
	}
	return newest
}

// FS returns the recorded scenarios of one version, AREA/NAME.ndjson.
func FS(version string) (fs.FS, error) { return fs.Sub(files, version) }

// Read returns the recording of a scenario. The error wraps fs.ErrNotExist if there is none.
func Read(version, scenario string) ([]recording.Entry, error) {
	entries, err := recording.ReadFile(files, path.Join(version, scenario+".ndjson"))
	if err != nil {
		return nil, fmt.Errorf("scenario %s is not recorded for %s: %w", scenario, version, err)
	}
	return entries, nil
}

// Has reports whether a scenario is recorded for a version.
func Has(version, scenario string) bool {
	_, err := fs.Stat(files, path.Join(version, scenario+".ndjson"))
	return err == nil
}

// A Session is a recording of the corpus.
type Session struct {
	Path     string // of its file, without .ndjson
	Version  string // of the CLI
	Scenario string // AREA/NAME; "" for another session
	Entries  []recording.Entry
	Lines    []recording.Line
}

// At names the place of a line: the path, and the number of the line in the file.
func (s *Session) At(l *recording.Line) string { return fmt.Sprintf("%s:%d", s.Path, l.Entry+1) }

// All returns the whole corpus, sorted by path. It must not be changed.
var All = sync.OnceValues(func() ([]*Session, error) { return Load(files) })

// Load reads the corpus in a folder, as [All] does the one that is built in.
func Load(fsys fs.FS) ([]*Session, error) {
	names, err := fs.Glob(fsys, "*/*/*.ndjson")
	if err != nil {
		return nil, err
	}
	var all []*Session
	for _, name := range names {
		entries, err := recording.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		lines, err := recording.Lines(entries)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s := &Session{Path: strings.TrimSuffix(name, ".ndjson"), Entries: entries, Lines: lines}
		folder, rest, _ := strings.Cut(s.Path, "/")
		if folder == sessions {
			s.Version = path.Dir(rest)
		} else {
			s.Version, s.Scenario = folder, rest
		}
		all = append(all, s)
	}
	return all, nil
}
