package sim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSettingsChooseTheModelTheModeAndTheFolders(t *testing.T) {
	const choice = `{"model":"sonnet","outputStyle":"Explanatory","permissions":{"defaultMode":"acceptEdits","additionalDirectories":["more","missing"]}}`
	for _, test := range []struct {
		name, file, text string
		args             []string
		trusted          bool
		want             string // model, mode, style, number of folders
		err              string // on stderr
	}{
		{name: "the user", file: "config/settings.json", text: choice, want: "claude-sonnet-5-5 acceptEdits Explanatory 1"},
		{name: "a flag", args: []string{"--settings", choice}, want: "claude-sonnet-5-5 acceptEdits Explanatory 1"},
		{name: "the project", file: ".claude/settings.json", text: choice, want: "claude-sonnet-5-5 acceptEdits Explanatory 0", err: "not trusted"},
		{name: "a trusted project", file: ".claude/settings.json", text: choice, trusted: true, want: "claude-sonnet-5-5 acceptEdits Explanatory 0"},
		{name: "the user in the project", file: ".claude/settings.local.json", text: choice, want: "claude-sonnet-5-5 acceptEdits Explanatory 0"},
		{name: "flags are stronger", file: ".claude/settings.local.json", text: choice, args: []string{"--model", "opus", "--permission-mode", "default"},
			want: "claude-opus-5-5 default Explanatory 0"},
		{name: "a project that asks nobody", file: ".claude/settings.json", text: `{"permissions":{"defaultMode":"bypassPermissions"}}`, want: "claude-opus-5-5 default default 0"},
		{name: "a mode that does not exist", file: "config/settings.json", text: `{"permissions":{"defaultMode":"never"}}`, want: "claude-opus-5-5 default default 0"},
		{name: "a variable", file: ".claude/settings.json", text: `{"env":{"ANTHROPIC_MODEL":"claude-sonnet-5-5"}}`, want: "claude-sonnet-5-5 default default 0"},
		{name: "a file that does not count", file: ".claude/settings.json", text: choice, args: []string{"--setting-sources", "user"}, want: "claude-opus-5-5 default default 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			files := map[string]string{"more/a.txt": "a"}
			if test.file != "" {
				files[test.file] = test.text
			}
			if test.trusted {
				files["config/.claude.json"] = fmt.Sprintf(`{"projects":{%q:{"hasTrustDialogAccepted":true}}}`, dir)
			}
			out, stderr, code := greet(t, dir, dir, test.args, []string{"CLAUDE_CONFIG_DIR=" + filepath.Join(dir, "config")}, files)
			if code != 0 || test.err == "" && stderr != "" || !strings.Contains(stderr, test.err) {
				t.Fatalf("exit code %d: %s", code, stderr)
			}
			m := opening(t, out)
			if got := fmt.Sprint(m["model"], m["permissionMode"], " ", m["output_style"], " ", len(m["additional_directories"].([]any))); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(test.want, " ", "") {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestTheAdministratorAndNobodyElseIsAlwaysAsked(t *testing.T) {
	for _, test := range []struct {
		args, env []string
		code      int
	}{
		{[]string{"--permission-mode", "bypassPermissions"}, nil, 1},
		{[]string{"--dangerously-skip-permissions"}, nil, 1},
		{[]string{"--allow-dangerously-skip-permissions"}, []string{"IS_SANDBOX=yes"}, 1},
		{[]string{"--settings", `{"permissions":{"defaultMode":"bypassPermissions"}}`}, nil, 1},
		{[]string{"--dangerously-skip-permissions"}, []string{"IS_SANDBOX=1"}, 0},
		{[]string{"--permission-mode", "bypassPermissions"}, []string{"CLAUDE_CODE_BUBBLEWRAP=1"}, 0},
		{[]string{"--permission-mode", "acceptEdits"}, nil, 0},
	} {
		want := test.code
		if os.Geteuid() != 0 {
			want = 0
		}
		if _, stderr, code := greet(t, t.TempDir(), t.TempDir(), test.args, test.env, nil); code != want {
			t.Errorf("%q %q: exit code %d, want %d: %s", test.args, test.env, code, want, stderr)
		}
	}
}
