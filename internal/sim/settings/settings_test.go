package settings

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestStrongerSourcesWinAndListsAreMerged(t *testing.T) {
	cwd, config := t.TempDir(), t.TempDir()
	write(t, filepath.Join(config, "settings.json"), `{"model":"a","permissions":{"allow":["Read"]}}`)
	write(t, filepath.Join(cwd, ".claude", "settings.json"), `{"model":"b","permissions":{"allow":["Read","Bash"]}}`)
	write(t, filepath.Join(cwd, ".claude", "settings.local.json"), `not JSON`)
	flag, err := ParseFlag(cwd, `{"outputStyle":"c"}`)
	if err != nil {
		t.Fatal(err)
	}
	s := Load(cwd, config, nil, flag)
	if got := object.Text(s.Effective()); got != `{"model":"b","permissions":{"allow":["Read","Bash"]},"outputStyle":"c"}` {
		t.Error(got)
	}
	if err := s.Update(Local, object.Of("model", "d")); err != nil {
		t.Fatal(err)
	}
	s.AddFlag(object.Of("outputStyle", nil, "x", 1))
	s.Reload()
	if got := object.Text(s.Effective()); got != `{"model":"d","permissions":{"allow":["Read","Bash"]},"x":1}` {
		t.Error(got)
	}
	only := Load(cwd, config, []Source{User}, nil)
	if got := object.Text(only.Sources()); got != `[{"source":"userSettings","settings":{"model":"a","permissions":{"allow":["Read"]}}}]` {
		t.Error(got)
	}
}

func TestTheFlagIsJSONOrAFile(t *testing.T) {
	cwd := t.TempDir()
	write(t, filepath.Join(cwd, "s.json"), `{"a":1}`)
	if o, err := ParseFlag(cwd, "s.json"); err != nil || object.Text(o) != `{"a":1}` {
		t.Errorf("%v, %v", o, err)
	}
	for _, bad := range []string{"{", "no.json", "[]"} {
		if _, err := ParseFlag(cwd, bad); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

func TestAnUpdateOfPermissionsIsWrittenToItsFile(t *testing.T) {
	rule := []string{"Bash(ls *)"}
	for _, test := range []struct{ name, update, want string }{
		{"rules are added once", `{"type":"addRules","behavior":"allow"}`, `{"x":1,"permissions":{"allow":["Read","Bash(ls *)"]}}`},
		{"rules are replaced", `{"type":"replaceRules","behavior":"allow"}`, `{"x":1,"permissions":{"allow":["Bash(ls *)"]}}`},
		{"rules are removed", `{"type":"removeRules","behavior":"allow"}`, `{"x":1,"permissions":{"allow":["Read"]}}`},
		{"the mode is set", `{"type":"setMode","mode":"plan"}`, `{"x":1,"permissions":{"allow":["Read"],"defaultMode":"plan"}}`},
		{"folders are added", `{"type":"addDirectories","directories":["/a"]}`, `{"x":1,"permissions":{"allow":["Read"],"additionalDirectories":["/a"]}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			cwd := t.TempDir()
			s := Load(cwd, t.TempDir(), nil, nil)
			write(t, s.Path(Local), `{"x":1,"permissions":{"allow":["Read"]}}`)
			v, err := object.Parse([]byte(test.update))
			if err != nil {
				t.Fatal(err)
			}
			update := v.(object.Object).With("destination", string(Local))
			for range 2 {
				if err := s.Permit(update, rule); err != nil {
					t.Fatal(err)
				}
			}
			again := Load(cwd, t.TempDir(), nil, nil)
			if got := object.Text(again.Get(Local)); got != test.want || object.Text(s.Get(Local)) != got {
				t.Errorf("the file has %s, want %s; the session has %s", got, test.want, object.Text(s.Get(Local)))
			}
		})
	}
}
