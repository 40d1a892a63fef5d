package examples

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/examples/internal/offline"
	"github.com/ccwire/ccwire/internal/conformance/recording"
)

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
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
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); err != nil || stderr.Len() > 0 {
				t.Errorf("%v: %s", err, stderr.String())
			}
			if diff := cmp.Diff(s.stdout, stdout.String()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestTryFailsForWhatIsNotAnExampleAndWhenTheExampleFails(t *testing.T) {
	folder := build(t, "./try")
	for args, want := range map[string]string{
		"":            "usage: try EXAMPLE",
		"nosuch":      `no session of an example "nosuch": give ask, hooks`,
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
		args := s.argsIn(".")
		args[len(args)-1] = `"` + args[len(args)-1] + `"`
		command := "go run ./examples/try " + s.example + " " + strings.Join(args, " ")
		if !strings.Contains(string(text), "\n"+command+"\n") || !strings.Contains(string(text), s.stdout) {
			t.Errorf("the README of %s does not have %s and what it prints", s.example, command)
		}
	}
}

func TestExamplesFailWithAReasonOnStderr(t *testing.T) {
	folder := build(t)
	empty := t.TempDir()
	file := filepath.Join(empty, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		args := s.argsIn(empty)
		recorded, err := offline.Session(s.example)
		if err != nil {
			t.Fatal(err)
		}
		good := replaying(t, recorded)
		type row struct {
			name   string
			env    []string
			args   []string
			code   int
			stderr string
		}
		rows := []row{
			{"no prompt", good, args[:len(args)-1], 2, `^usage: ` + s.example + ` .*PROMPT\n$`},
			{"no CLI", []string{"PATH=" + empty}, args, 1, `the Claude Code CLI was not found: .* install it with`},
			{"no such CLI", []string{"CLAUDE_CLI=" + filepath.Join(empty, "claude")}, args, 1, `the Claude Code CLI was not found: .*\(from CLAUDE_CLI\)`},
			{"a CLI that cannot run", []string{"CLAUDE_CLI=" + empty}, args, 1, `is a directory`},
			{"not logged in", replaying(t, ending(t, recorded, notLoggedIn)), args, 1, `the turn failed: Not logged in · Please run /login\n$`},
			{"too many turns", replaying(t, ending(t, recorded, maxTurns)), args, 1, `the turn failed: error_max_turns: Reached maximum number of turns \(1\)\n$`},
			{"no result", replaying(t, ending(t, recorded, nil)), args, 1, `(?s)(exited with code 3|the CLI ended).*out of memory`},
		}
		if s.example == "policy" {
			rows = append(rows,
				row{"no such folder", good, []string{filepath.Join(empty, "none"), "hi"}, 1, `working directory: .*none: `},
				row{"a file as folder", good, []string{file, "hi"}, 1, `working directory .*file: `})
		}
		for _, row := range rows {
			t.Run(s.example+"/"+row.name, func(t *testing.T) {
				got := run(t, folder, s.example, empty, row.env, row.args...)
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

// What the results of turns that fail have in place of what a good one has; nil for nothing.
var (
	notLoggedIn = map[string]any{"is_error": true, "result": "Not logged in · Please run /login"}
	maxTurns    = map[string]any{"is_error": true, "subtype": "error_max_turns", "result": nil, "errors": []string{"Reached maximum number of turns (1)"}}
)

// ending returns a session that ends with another result and exit code 1. Without a result the CLI
// dies with code 3 before the first message of the model.
func ending(t *testing.T, entries []recording.Entry, result map[string]any) []recording.Entry {
	t.Helper()
	var out []recording.Entry
	for _, e := range entries {
		last := e.Dir == recording.ToSDK && strings.Contains(e.Line, `"type":"result"`)
		dies := result == nil && e.Dir == recording.ToSDK && strings.Contains(e.Line, `"type":"assistant"`)
		switch {
		case dies:
			code := 3
			return append(out, recording.Entry{Dir: recording.Exit, Code: &code, Stderr: "out of memory\n"})
		case last:
			e.Line = changed(t, e.Line, result)
		case e.Dir == recording.Exit:
			code := 1
			e.Code = &code
		}
		out = append(out, e)
	}
	return out
}

// changed returns a line with other members.
func changed(t *testing.T, line string, members map[string]any) string {
	t.Helper()
	var frame map[string]any
	if err := json.Unmarshal([]byte(line), &frame); err != nil {
		t.Fatal(err)
	}
	for name, value := range members {
		frame[name] = value
		if value == nil {
			delete(frame, name)
		}
	}
	text, err := json.Marshal(frame)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// replaying returns the environment in which the CLI replays a recording.
func replaying(t *testing.T, entries []recording.Entry) []string {
	t.Helper()
	var b bytes.Buffer
	if err := recording.Write(&b, entries); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "session.ndjson")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return []string{"CLAUDE_CLI=" + self(t), replayEnv + "=" + file}
}
