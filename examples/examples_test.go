package examples

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/examples/internal/offline"
)

func script(t *testing.T, example string) []byte {
	t.Helper()
	text, err := offline.Script(example)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// argsIn returns the arguments for a run in a folder.
func (s *session) argsIn(dir string) (args []string) {
	for _, arg := range s.args {
		args = append(args, strings.ReplaceAll(arg, "{cwd}", dir))
	}
	return args
}

func TestTryRunsEachExampleWithoutACLI(t *testing.T) {
	for i, s := range sessions {
		t.Run(s.example, func(t *testing.T) {
			if testing.Short() && i > 0 {
				t.Skip("each is built and linked; make test-all runs them all")
			}
			t.Parallel()
			args := append([]string{"run", "./try", s.example}, s.argsIn(".")...)
			cmd := exec.CommandContext(t.Context(), "go", args...)
			var stdout, stderr bytes.Buffer
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(s.stdin), &stdout, &stderr
			if err := cmd.Run(); err != nil || stderr.Len() > 0 {
				t.Errorf("%v: %s", err, stderr.String())
			}
			if diff := cmp.Diff(s.stdout, stdout.String()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestOfflineExamplesTakeAnyPromptAndTouchNoFile(t *testing.T) {
	if testing.Short() {
		t.Skip("each is built and linked; make test-all runs it")
	}
	folder := build(t)
	for _, s := range sessions {
		dir, tmp := t.TempDir(), t.TempDir()
		const prompt = "Something else."
		args, stdin, want := s.argsIn(dir), "", s.stdout
		if s.stdin != "" {
			stdin = prompt + "\n"
		} else {
			args[len(args)-1] = prompt
		}
		switch s.example {
		case "ask", "chat":
			want = prompt + "\n"
		case "batch":
			want = prompt + ": " + prompt + "\n"
		}
		env := append(simulated(t, script(t, s.example)), "HOME="+dir, "TMPDIR="+tmp, "TMP="+tmp)
		got := run(t, folder, s.example, dir, env, stdin, args...)
		if diff := cmp.Diff(fmt.Sprint(outcome{stdout: want}), fmt.Sprint(got)); diff != "" {
			t.Errorf("%s: -want +got\n%s", s.example, diff)
		}
		for _, name := range []string{dir, tmp} {
			if left, err := os.ReadDir(name); err != nil || len(left) > 0 {
				t.Errorf("%s: left behind: %v, %v", s.example, left, err)
			}
		}
	}
}

func TestTryFailsForWhatIsNotAnExampleAndWhenTheExampleFails(t *testing.T) {
	if testing.Short() {
		t.Skip("it is built and linked; make test-all runs it")
	}
	folder := build(t, "./try")
	for args, want := range map[string]string{
		"":            "usage: try EXAMPLE",
		"nosuch":      `no example "nosuch": give ask, batch`,
		"ask":         "usage: ask PROMPT",
		"policy no x": "working directory: stat no: no such",
	} {
		cmd := exec.CommandContext(t.Context(), filepath.Join(folder, "try"), strings.Fields(args)...)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("try %s: %v\n%s", args, err, out)
		}
	}
}

// TestEachExampleNamesItsOfflineCommand checks that the command of the README is one that
// TestTryRunsEachExampleWithoutACLI runs.
func TestEachExampleNamesItsOfflineCommand(t *testing.T) {
	for _, s := range sessions {
		text, err := os.ReadFile(filepath.Join(s.example, "README.md"))
		if err != nil {
			t.Error(err)
			continue
		}
		command := "go run ./examples/try " + s.example
		if s.stdin != "" {
			command = "printf '" + strings.ReplaceAll(s.stdin, "\n", `\n`) + "' | " + command
		} else {
			args := s.argsIn(".")
			args[len(args)-1] = `"` + args[len(args)-1] + `"`
			command += " " + strings.Join(args, " ")
		}
		if !strings.Contains(string(text), "\n"+command+"\n") || !strings.Contains(string(text), s.stdout) {
			t.Errorf("the README of %s does not have %s and what it prints", s.example, command)
		}
	}
}

func TestExamplesFailWithAReasonOnStderr(t *testing.T) {
	all := sessions
	if testing.Short() {
		all = all[:1] // each is built and linked
	}
	var programs []string
	for _, s := range all {
		programs = append(programs, "./"+s.example)
	}
	folder := build(t, programs...)
	empty := t.TempDir()
	file := filepath.Join(empty, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		args := s.argsIn(empty)
		good := simulated(t, script(t, s.example))
		type row struct {
			name   string
			env    []string
			args   []string
			code   int
			stderr string
		}
		rows := []row{
			{"no CLI", []string{"PATH=" + empty}, args, 1, `the Claude Code CLI was not found: .* install it with`},
			{"no such CLI", []string{"CLAUDE_CLI=" + filepath.Join(empty, "claude")}, args, 1, `the Claude Code CLI was not found: .*\(from CLAUDE_CLI\)`},
			{"a CLI that cannot run", []string{"CLAUDE_CLI=" + empty}, args, 1, `is a directory`},
			{"not logged in", simulated(t, failing(notLoggedIn)), args, 1, `the turn failed: Not logged in · Please run /login\n$`},
			{"too many turns", simulated(t, failing(maxTurns)), args, 1, `the turn reached the limit of turns: error_max_turns: Reached maximum number of turns \(1\)\n$`},
			{"no result", simulated(t, fault("stderr=out of memory%0A@system/init", "exit=3@assistant")), args, 1, `(?s)(exited with code 3|the CLI ended).*out of memory`},
		}
		if s.stdin == "" {
			rows = append(rows, row{"no prompt", good, args[:len(args)-1], 2, `^usage: ` + s.example + ` .*PROMPT\n$`})
		}
		if s.example == "policy" {
			rows = append(rows,
				row{"no such folder", good, []string{filepath.Join(empty, "none"), "hi"}, 1, `working directory: .*none: `},
				row{"a file as folder", good, []string{file, "hi"}, 1, `working directory .*file: `})
		}
		for _, row := range rows {
			t.Run(s.example+"/"+row.name, func(t *testing.T) {
				got := run(t, folder, s.example, empty, row.env, s.stdin, row.args...)
				prefix := s.example + ": "
				if row.code == 2 {
					prefix = "usage: "
				}
				if got.code != row.code || !strings.HasPrefix(got.stderr, prefix) || !regexp.MustCompile(row.stderr).MatchString(got.stderr) {
					t.Errorf("%+v", got)
				}
			})
		}
	}
}

// failing is what the model says and the CLI does in a turn that ends with another result than a
// good one, and exit code 1.
func failing(result string) []byte {
	result = strings.NewReplacer("%", "%25", "@", "%40").Replace(result) + "%0A"
	return fault("raw-after="+result+"@assistant", "exit=1@result")
}

// fault returns a script with faults and one turn.
func fault(faults ...string) []byte {
	text, err := json.Marshal(map[string]any{"turns": []any{map[string]string{"text": "Hello."}}, "faults": faults})
	if err != nil {
		panic(err)
	}
	return text
}

// Results of turns that fail.
const (
	notLoggedIn = `{"type":"result","subtype":"success","is_error":true,"result":"Not logged in · Please run /login",` + resultRest
	maxTurns    = `{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["Reached maximum number of turns (1)"],` + resultRest
	resultRest  = `"duration_ms":1,"duration_api_ms":1,"num_turns":1,"stop_reason":null,"total_cost_usd":0,"usage":{"input_tokens":0,"output_tokens":0},"modelUsage":{},` +
		`"permission_denials":[],"session_id":"00000000-0000-4000-8000-000000000001","uuid":"00000000-0000-4000-8000-000000000002"}`
)

// simulated returns the environment in which the CLI is the simulated one with a script.
func simulated(t *testing.T, script []byte) []string {
	t.Helper()
	env, err := offline.Install(t.TempDir(), script)
	if err != nil {
		t.Fatal(err)
	}
	return env
}

func TestTheBatchAnswersAHundredPrompts(t *testing.T) {
	folder := build(t, "./batch")
	var stdin, want strings.Builder
	for i := range 100 {
		fmt.Fprintf(&stdin, "prompt %d\n", i)
		fmt.Fprintf(&want, "prompt %d: prompt %d\n", i, i)
	}
	got := run(t, folder, "batch", t.TempDir(), simulated(t, []byte(`{"default": {"text": "{{text}}"}}`)), stdin.String())
	if diff := cmp.Diff(outcome{stdout: want.String()}, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestEachExampleIsShort(t *testing.T) {
	for _, s := range sessions {
		text, err := os.ReadFile(filepath.Join(s.example, "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(text, []byte("\n")); lines >= 45 {
			t.Errorf("%s has %d lines", s.example, lines)
		}
	}
}
