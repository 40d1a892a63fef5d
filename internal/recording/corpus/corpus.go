// Package corpus is the corpus: what real CLIs and an SDK wrote, in the form of package
// recording. All tests that need recorded lines read them here.
//
//	VERSION/AREA/NAME.ndjson       a scenario, as protogen record wrote it
//	sessions/VERSION/NAME.ndjson   a session that no scenario plays
//
// The files are in conformance/recordings, and built in as package pack keeps them: a version, or
// an area of it, is unpacked when it is first asked for. Tools compare versions by their scenarios.
// Another session is kept only for shapes that no scenario shows.
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

	"github.com/ccwire/ccwire/internal/recording"
)

// sessions is the folder of sessions that are not scenarios.
const sessions = "sessions"

// Versions returns the versions with recorded scenarios, the oldest first.
func Versions() []string { return slices.Clone(versions()) }

// Newest returns the newest version with recorded scenarios.
func Newest() string { return versions()[len(versions())-1] }

var versions = sync.OnceValue(func() []string {
	list := slices.DeleteFunc(folders(), func(name string) bool { return name == sessions })
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

// FS returns the recorded scenarios of one version, AREA/NAME.ndjson. The error wraps
// fs.ErrNotExist if there are none.
func FS(version string) (fs.FS, error) { return keptFolder(version) }

// Read returns the recording of a scenario. The error wraps fs.ErrNotExist if there is none.
func Read(version, scenario string) ([]recording.Entry, error) {
	var entries []recording.Entry
	fsys, err := keptArea(path.Join(version, path.Dir(scenario)))
	if err == nil {
		entries, err = recording.ReadFile(fsys, scenario+".ndjson")
	}
	if err != nil {
		return nil, fmt.Errorf("scenario %s is not recorded for %s: %w", scenario, version, err)
	}
	return entries, nil
}

// Has reports whether a scenario is recorded for a version.
func Has(version, scenario string) bool {
	fsys, err := keptArea(path.Join(version, path.Dir(scenario)))
	if err != nil {
		return false
	}
	_, err = fs.Stat(fsys, scenario+".ndjson")
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
var All = sync.OnceValues(func() (all []*Session, err error) {
	for _, folder := range folders() {
		fsys, err := unpackFolder(folder)
		if err != nil {
			return nil, err
		}
		list, err := load(fsys, "*/*.ndjson", folder)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
})

// Load reads the plain files of the corpus in a folder, as [All] reads what is built in.
func Load(fsys fs.FS) ([]*Session, error) { return load(fsys, "*/*/*.ndjson", "") }

// load reads the files with names of this pattern, which are in a folder of the corpus or, for "",
// in all.
func load(fsys fs.FS, pattern, folder string) (list []*Session, err error) {
	names, err := fs.Glob(fsys, pattern)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		entries, err := recording.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		lines, err := recording.Lines(entries)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Join(folder, name), err)
		}
		s := &Session{Path: path.Join(folder, strings.TrimSuffix(name, ".ndjson")), Entries: entries, Lines: lines}
		first, rest, _ := strings.Cut(s.Path, "/")
		if first == sessions {
			s.Version = path.Dir(rest)
		} else {
			s.Version, s.Scenario = first, rest
		}
		list = append(list, s)
	}
	return list, nil
}
