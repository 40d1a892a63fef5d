package shim

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAProgramIsReplacedAndNothingElseIsLeft(t *testing.T) {
	dir := t.TempDir()
	program, name := filepath.Join(t.TempDir(), "program"), filepath.Join(dir, "claude")
	if err := os.WriteFile(program, []byte("linked"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		want  string
		write func() error
	}{
		{"first", func() error { return Replace(name, strings.NewReader("first")) }},
		{"second", func() error { return Replace(name, strings.NewReader("second")) }},
		{"linked", func() error { return Link(name, program) }},
		{"linked", func() error { return Link(name, program) }},
	} {
		if err := step.write(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != step.want {
			t.Errorf("the program is %q, %v, want %q", got, err, step.want)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
			t.Errorf("the folder has %v, %v", list, err)
		}
	}
	if info, err := os.Stat(name); err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("it cannot be run: %v, %v", info.Mode(), err)
	}
}

func TestAConfigurationThatIsNotJSONIsAnErrorWithItsName(t *testing.T) {
	name := filepath.Join(t.TempDir(), "claude.json")
	var v []string
	if found, err := ReadConfig(name, &v); found || err != nil {
		t.Errorf("no file: %v, %v", found, err)
	}
	if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadConfig(name, &v); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("got %v", err)
	}
}
