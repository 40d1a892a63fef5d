package extensions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/sim/workspace"
)

func TestInstructionsAreReadWithWhatTheyImport(t *testing.T) {
	top := t.TempDir()
	dir, config := filepath.Join(top, "work"), filepath.Join(top, "config")
	for name, text := range map[string]string{
		"config/CLAUDE.md": "user", "config/rules/a.md": "user rule",
		"CLAUDE.md": "parent", "outside.md": "outside",
		"work/CLAUDE.md": "project @docs/more.md `@code.md` @missing.md @../outside.md", "work/docs/more.md": "imported @deep.md", "work/docs/deep.md": "deep",
		"work/code.md": "code", "work/AGENTS.md": "another", "work/.claude/CLAUDE.md": "hidden", "work/.claude/rules/sub/b.md": "rule",
		"work/.claude/rules/c.md": "---\npaths: src/**/*.ts\n---\nsome", "work/CLAUDE.local.md": "local",
	} {
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		options Options
		want    string // the first words, in their order
	}{
		{Options{User: true, Project: true, Local: true}, "user user parent project imported deep hidden rule local"},
		{Options{User: true}, "user user"},
		{Options{Local: true}, "local"},
		{Options{}, ""},
	} {
		e := New(workspace.New(dir, []string{"CLAUDE_CONFIG_DIR=" + config, "HOME=" + top + "/home"}, ""), test.options)
		e.Load()
		var words []string
		for _, i := range e.files.memory {
			if strings.HasPrefix(i.Path, top) { // not what is above the test's own folder
				word, _, _ := strings.Cut(i.Text, " ")
				words = append(words, word)
			}
		}
		if got := strings.Join(words, " "); got != test.want {
			t.Errorf("%+v: got %s, want %s", test.options, got, test.want)
		}
		if rules := e.Rules(); test.options.Project && (len(rules) != 1 || !rules[0].Fits("src/x/a.ts") || rules[0].Fits("a.ts")) {
			t.Errorf("the rules are %v", rules)
		}
	}
}
