package accepts

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/shipped"
)

// Load returns the data that is built in.
var Load = sync.OnceValues(func() (Table, error) { return Read(shipped.Accepts()) })

// Read reads the files NAME.txt of a folder, or of a tree.
func Read(fsys fs.FS) (Table, error) {
	t := Table{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".txt" {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		return t.parse(name, string(data))
	})
	return t, err
}

// parse reads one file. A line that does not begin with a space names a frame; the others are
//
//	MEMBER VALUE VALUE...: EFFECT VERSION VERSION...; EFFECT VERSION...
//
// where the member "" is written as ".". Lines that begin with # are comments.
func (t Table) parse(name, text string) error {
	frame := ""
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, " "):
			frame = strings.TrimSpace(line)
		default:
			if err := t.row(frame, line); err != nil {
				return fmt.Errorf("%s:%d: %w", name, i+1, err)
			}
		}
	}
	return nil
}

func (t Table) row(frame, line string) error {
	left, right, ok := strings.Cut(line, ": ")
	words := strings.Fields(left)
	if !ok || frame == "" || len(words) < 2 {
		return fmt.Errorf("not a row: %q", line)
	}
	member := strings.TrimPrefix(words[0], ".")
	for _, value := range words[1:] {
		key := Key{frame, member, Value(value)}
		if _, again := t[key]; again {
			return fmt.Errorf("%s %s %s is there twice", frame, words[0], value)
		}
		if !slices.Contains(Values, key.Value) {
			return fmt.Errorf("unknown value %q", value)
		}
		for _, part := range strings.Split(right, ";") {
			said := strings.Fields(part)
			if len(said) < 2 || !slices.Contains(Effects, Effect(said[0])) {
				return fmt.Errorf("not an effect with versions: %q", part)
			}
			for _, version := range said[1:] {
				t.Add(key, version, Effect(said[0]))
			}
		}
	}
	return nil
}

// Files returns the text of the files, by name: one for each first part of a frame.
func (t Table) Files() map[string]string {
	type group struct{ frame, member, effects string }
	values := map[group][]Value{}
	for k, f := range t {
		g := group{k.Frame, k.Member, f.String()}
		values[g] = append(values[g], k.Value)
	}
	groups := slices.SortedFunc(maps.Keys(values), func(a, b group) int {
		return cmp.Or(cmp.Compare(a.frame, b.frame), cmp.Compare(a.member, b.member), cmp.Compare(a.effects, b.effects))
	})
	files := map[string]string{}
	last := ""
	for _, g := range groups {
		kind, _, _ := strings.Cut(g.frame, "/")
		name := kind + ".txt"
		if g.frame != last {
			files[name] += g.frame + "\n"
			last = g.frame
		}
		list := values[g]
		slices.SortFunc(list, func(a, b Value) int { return cmp.Compare(slices.Index(Values, a), slices.Index(Values, b)) })
		member := g.member
		if member == "" {
			member = "."
		}
		files[name] += " " + member
		for _, v := range list {
			files[name] += " " + string(v)
		}
		files[name] += ": " + g.effects + "\n"
	}
	return files
}

// String returns the finding as it is in a file.
func (f Finding) String() string {
	var parts []string
	for _, e := range Effects {
		if len(f[e]) > 0 {
			parts = append(parts, string(e)+" "+strings.Join(f[e], " "))
		}
	}
	return strings.Join(parts, "; ")
}
