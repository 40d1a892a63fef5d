//go:build packages

package pypi_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/packages/packagestest"
	"github.com/ccwire/ccwire/internal/workshop"
)

var block = regexp.MustCompile("(?m)(?:^<!-- file: (\\S+) -->\n)?^```(python|sh|text)\n((?s:.*?))^```$")

// TestInstalledPageDoesWhatItShows goes through docs/python.md: files are written, commands run one
// after the other in one folder, and each line of a text is in what the command before it printed.
func TestInstalledPageDoesWhatItShows(t *testing.T) {
	page, err := os.ReadFile("../../../docs/python.md")
	if err != nil {
		t.Fatal(err)
	}
	environment, dir := install(t), t.TempDir()
	last, ran := "", 0
	for _, b := range block.FindAllStringSubmatch(string(page), -1) {
		name, language, text := b[1], b[2], b[3]
		switch {
		case language == "sh":
			last = shell(t, environment, dir, text)
			ran++
		case language == "text":
			for line := range strings.Lines(text) {
				if !strings.Contains(last, strings.TrimSpace(line)) {
					t.Errorf("%q is not in what was printed:\n%s", line, last)
				}
			}
		case name == "":
			t.Errorf("nothing says which file this is:\n%s", text)
		default:
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if ran < 8 {
		t.Errorf("%d commands were run", ran)
	}
}

// shell runs the commands of the page in the environment. Their packages are the wheel and what
// requirements.txt pins.
func shell(t *testing.T, env, dir, commands string) string {
	t.Helper()
	cmd := packagestest.Command(t, dir, "sh", "-e", "-c", commands)
	pinned := filepath.Join(workshop.Python(t, "testdata/python"), "bin")
	for i, v := range cmd.Env {
		if path, ok := strings.CutPrefix(v, "PATH="); ok {
			cmd.Env[i] = "PATH=" + strings.Join([]string{filepath.Join(env, "bin"), path, pinned}, string(os.PathListSeparator))
		}
	}
	cmd.Env = append(cmd.Env, "PIP_NO_INDEX=1", "PIP_FIND_LINKS="+env, "UV_NO_INDEX=1", "UV_FIND_LINKS="+env, "UV_OFFLINE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s%v\n%s", commands, err, out)
	}
	return string(out)
}
