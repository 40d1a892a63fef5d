package fence_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ccwire/ccwire/internal/sim/fence"
	"github.com/google/go-cmp/cmp"
)

func TestWhatTheUserNamesIsReadWithItsProject(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := func(names ...string) string { return filepath.Join(append([]string{root}, names...)...) }
	for _, file := range []string{
		path("cwd", "server.sh"), path("home", "server.py"), path("home", ".ssh", "key"), path("home", "project", "package.json"), path("home", "project", "test", "server.mjs"),
		path("home", "tools", "lib", "x"), path("home", "tools", "bin", "python"), path("alone", "server"),
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	f := fence.New(fence.Options{Dir: path("cwd"), Env: []string{"HOME=" + path("home")}})
	defer f.Close()
	for _, tt := range []struct {
		name  string
		words []string
		want  []string
	}{
		{"a program in a project", []string{"node", path("home", "project", "test", "server.mjs")}, []string{path("home", "project")}},
		{"a program that is installed", []string{path("home", "tools", "bin", "python"), "-u"}, []string{path("home", "tools"), path("home", "tools", "bin")}},
		{"a program in a folder", []string{path("alone", "server")}, []string{path("alone")}},
		{"a folder", []string{path("alone")}, []string{path("alone")}},
		{"a program in a home directory, alone", []string{path("home", "server.py")}, []string{path("home", "server.py")}},
		{"never a home directory", []string{path("home"), root, "/"}, nil},
		{"what is not there, or not a path", []string{path("nothing"), "server", "--x=/etc"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, f.Named(tt.words...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
