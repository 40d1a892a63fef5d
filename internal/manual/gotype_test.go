package manual_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/ccwire/ccwire/internal/naming"
)

var declared = regexp.MustCompile(`(?m)^type (\w+) `)

// TestAnEntryHasTheGoTypeThatIsThere compares the manual with gen/wire.
func TestAnEntryHasTheGoTypeThatIsThere(t *testing.T) {
	files, err := filepath.Glob("../../gen/wire/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	where := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range declared.FindAllStringSubmatch(string(text), -1) {
			where[found[1]] = "gen/wire/" + path.Base(filepath.ToSlash(file))
		}
	}
	m, names := load(t), naming.New()
	for _, d := range m.Set().Definitions() {
		e := m.Entry(d.Name())
		if where[e.Go] != e.GoFile() {
			t.Errorf("%s: %s is in %q, not in %q", d.Name(), e.Go, where[e.Go], e.GoFile())
		}
		if e.Topic.Area.Name == "transcript" {
			continue
		}
		if own, err := names.Definition(d); err != nil || e.Go == "" && where[own] != "" {
			t.Errorf("%s: no Go type, but there is %s in %s (%v)", d.Name(), own, where[own], err)
		}
	}
}
