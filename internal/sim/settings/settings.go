// Package settings has the settings of a session: those of the user, of the project, of the user in
// the project, and those that the session was started with.
package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
)

// Source is where settings come from.
type Source string

// The sources, from the weakest to the strongest.
const (
	User    Source = "userSettings"
	Project Source = "projectSettings"
	Local   Source = "localSettings"
	Flag    Source = "flagSettings"
)

var order = []Source{User, Project, Local, Flag}

// maxFile is how large a file of settings may be.
const maxFile = 4 << 20

// Store has the settings of a session. Its methods may be called from several goroutines.
type Store struct {
	cwd, config string
	read        []Source // the files that count

	mu     sync.Mutex // guards the fields below
	values map[Source]object.Object
	seen   map[Source]os.FileInfo // the files when they were looked at last; nil for one that is not there
}

// Load reads the files of settings for a working directory and a folder of configuration. sources
// are those that count, nil means all; flag are the settings that the session was started with.
// Files that are not there, or not JSON, are empty.
func Load(cwd, config string, sources []Source, flag object.Object) *Store {
	if sources == nil {
		sources = []Source{User, Project, Local}
	}
	s := &Store{cwd: cwd, config: config, read: sources, values: map[Source]object.Object{Flag: flag}}
	s.Reload()
	return s
}

// ParseFlag reads the value of the flag --settings: JSON, or the path of a file.
func ParseFlag(cwd, value string) (object.Object, error) {
	if value == "" {
		return nil, nil
	}
	if v, err := object.Parse([]byte(value)); err == nil {
		if o, ok := v.(object.Object); ok {
			return o, nil
		}
	}
	path := value
	if !filepath.IsAbs(path) {
		path = filepath.Join(cwd, path)
	}
	data, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("Error: Settings file not found: %s", path) //lint:ignore ST1005 the CLI's words
	}
	v, err := object.Parse(data)
	o, ok := v.(object.Object)
	if err != nil || !ok {
		return nil, fmt.Errorf("Error: Settings file is not valid JSON: %s", path) //lint:ignore ST1005 the CLI's words
	}
	return o, nil
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile))
}

// Path returns the file of a source, "" if it has none.
func (s *Store) Path(source Source) string {
	switch source {
	case User:
		return filepath.Join(s.config, "settings.json")
	case Project:
		return filepath.Join(s.cwd, ".claude", "settings.json")
	case Local:
		return filepath.Join(s.cwd, ".claude", "settings.local.json")
	}
	return ""
}

// Reload reads the files again.
func (s *Store) Reload() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, source := range s.read {
		s.values[source] = nil
		data, err := readFile(s.Path(source))
		if err != nil {
			continue
		}
		v, _ := object.Parse(data) // what is not JSON is as if it was not there
		if o, _ := v.(object.Object); valid(o) {
			s.values[source] = o
		}
	}
}

// valid reports whether settings count: a file with a member of another type than it must have is
// as if it was not there. What is not a text in a list of rules is left out, and takes nothing with
// it.
func valid(o object.Object) bool { return len(Wrong(o)) == 0 }

// Wrong returns the members of settings that are of another type than they must have, as
// "permissions.deny".
func Wrong(o object.Object) (names []string) {
	text := func(v any) bool { _, ok := v.(string); return ok }
	list := func(v any) bool { _, ok := v.([]any); return ok }
	members := func(v any) bool { _, ok := v.(object.Object); return ok }
	check := func(o object.Object, within string, is func(any) bool, all ...string) {
		for _, name := range all {
			if v, ok := o.Lookup(name); ok && !is(v) {
				names = append(names, within+name)
			}
		}
	}
	check(o, "", text, "model", "outputStyle")
	check(o, "", members, "permissions", "env")
	check(o.Object("permissions"), "permissions.", list, "allow", "deny", "ask", "additionalDirectories")
	return names
}

// Reads reports whether the settings of a source count in the session.
func (s *Store) Reads(source Source) bool { return slices.Contains(s.read, source) }

// Get returns the settings of a source. They must not be changed.
func (s *Store) Get(source Source) object.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[source]
}

// Effective returns what is in force: stronger sources win, objects and lists are merged.
func (s *Store) Effective() object.Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := object.Object{}
	for _, source := range order {
		all = Merge(all, s.values[source])
	}
	return all
}

// Sources returns each source that has settings, with them, the strongest last.
func (s *Store) Sources() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []any{}
	for _, source := range order {
		if o := s.values[source]; len(o) > 0 {
			list = append(list, object.Of("source", string(source), "settings", o))
		}
	}
	return list
}

// AddFlag merges settings into those that the session was started with. A member that is null is
// removed.
func (s *Store) AddFlag(o object.Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	merged := Merge(s.values[Flag], o)
	s.values[Flag] = slices.DeleteFunc(merged, func(m object.Member) bool { return m.Value == nil })
}

// Update merges settings into the file of a source.
func (s *Store) Update(source Source, o object.Object) error {
	path := s.Path(source)
	if path == "" {
		return fmt.Errorf("%s cannot be written", source)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	old, err := s.file(source)
	if err != nil {
		return err
	}
	return s.write(source, Merge(old, o))
}

// file returns what the file of a source has.
func (s *Store) file(source Source) (object.Object, error) {
	data, err := readFile(s.Path(source))
	if errors.Is(err, fs.ErrNotExist) {
		return object.Object{}, nil
	}
	if err != nil {
		return nil, err
	}
	v, _ := object.Parse(data) // what is not JSON is as if it was not there
	o, _ := v.(object.Object)
	return o, nil
}

// write writes the file of a source. The caller holds the lock.
func (s *Store) write(source Source, o object.Object) error {
	var text bytes.Buffer
	if err := json.Indent(&text, object.Append(nil, o), "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	if err := s.put(source, text.Bytes()); err != nil {
		return err
	}
	if slices.Contains(s.read, source) {
		s.values[source] = o
	}
	if s.seen != nil {
		s.seen[source], _ = os.Stat(s.Path(source)) // it was just written
	}
	return nil
}

// put writes the text of a source's file. What is in the working directory may be a link that leads
// out of it, and is not followed then.
func (s *Store) put(source Source, data []byte) error {
	top := s.cwd
	if source == User {
		top = s.config
		if err := os.MkdirAll(top, 0o755); err != nil {
			return err
		}
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return err
	}
	defer root.Close()
	path, err := filepath.Rel(top, s.Path(source))
	if err != nil {
		return err
	}
	if err := root.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return root.WriteFile(path, data, 0o644)
}

// Merge returns the members of both objects. Where both have one, objects are merged, lists follow
// each other, and of other values the second counts.
func Merge(a, b object.Object) object.Object {
	out := object.Clone(a).(object.Object)
	for _, m := range b {
		old, _ := out.Lookup(m.Name)
		switch v := m.Value.(type) {
		case object.Object:
			if o, ok := old.(object.Object); ok {
				out.Set(m.Name, Merge(o, v))
				continue
			}
		case []any:
			if list, ok := old.([]any); ok {
				out.Set(m.Name, union(list, v))
				continue
			}
		}
		out.Set(m.Name, object.Clone(m.Value))
	}
	return out
}

// union returns the elements of both lists, each once.
func union(a, b []any) []any {
	out := slices.Clone(a)
	for _, v := range b {
		if !slices.ContainsFunc(out, func(o any) bool { return object.Text(o) == object.Text(v) }) {
			out = append(out, v)
		}
	}
	return out
}
