package sim_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/sim"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// introductions are sessions, and what the lists in their line system/init have and do not have.
var introductions = []struct {
	name  string
	args  []string
	env   []string
	files map[string]string // in the working directory
	has   []string          // LIST:ELEMENT
	not   []string
}{
	{name: "plain", has: []string{"tools:WebFetch", "agents:Explore", "slash_commands:security-review", "skills:dataviz"},
		not: []string{"tools:Glob", "tools:TaskCreate", "tools:AskUserQuestion", "agents:claude-code-guide", "slash_commands:diff"}},
	{name: "an SDK that is asked for permissions", args: []string{"--permission-prompt-tool", "stdio"}, has: []string{"tools:AskUserQuestion", "tools:ExitPlanMode"}},
	{name: "no Bash", args: []string{"--disallowedTools", "Bash"}, has: []string{"tools:Glob", "tools:Grep"}, not: []string{"tools:Bash", "tools:Monitor"}},
	{name: "some tools", args: []string{"--tools", "Write,Agent,Glob,TodoWrite"}, has: []string{"tools:Task", "tools:Glob", "tools:Write"},
		not: []string{"tools:Read", "tools:TodoWrite", "tools:Agent"}},
	{name: "no tools", args: []string{"--tools", ""}, not: []string{"tools:Read", "tools:Task"}},
	{name: "no commands", args: []string{"--disable-slash-commands"}, not: []string{"tools:Skill", "skills:dataviz", "slash_commands:compact"}},
	{name: "bare", args: []string{"--bare"}, has: []string{"tools:Bash"}, not: []string{"tools:Write"}},
	{name: "tools for lists of tasks", env: []string{"CLAUDE_CODE_ENABLE_TODO_TOOLS=1"}, has: []string{"tools:TaskGet"}},
	{name: "a program that has the CLI as a part", env: []string{"CLAUDE_CODE_ENTRYPOINT=local-agent"}, has: []string{"agents:claude-code-guide", "tools:Glob"},
		not: []string{"skills:dataviz"}},
	{name: "agents of a flag", args: []string{"--agents", `{"rev":{"description":"d","prompt":"p"}}`}, has: []string{"agents:rev"}},
	{name: "files of the project", files: ownFiles, has: []string{"slash_commands:sub:deep", "slash_commands:ska", "skills:ska", "agents:ag"}, not: []string{"agents:nameless"}},
	{name: "files of the project that do not count", args: []string{"--setting-sources", "user"}, files: ownFiles, not: []string{"slash_commands:sub:deep", "skills:ska", "agents:ag"}},
}

var ownFiles = map[string]string{
	".claude/commands/sub/deep.md": "Go deep.",
	".claude/skills/ska/SKILL.md":  "---\nname: another\ndescription: d\n---\nSkill.",
	".claude/agents/x.md":          "---\nname: ag\ndescription: d\n---\nAgent.",
	".claude/agents/nameless.md":   "---\ndescription: d\n---\nAgent.",
}

// listNames are the lists of system/init that are looked at.
var listNames = []string{"tools", "slash_commands", "terminal_slash_commands", "agents", "skills", "plugins", "capabilities"}

// introductionArgs are the arguments of all sessions.
var introductionArgs = strings.Fields("-p greet --output-format stream-json --verbose")

// opening returns the line system/init in what a CLI has written.
func opening(t *testing.T, out []byte) map[string]any {
	t.Helper()
	for line := range bytes.Lines(out) {
		var m map[string]any
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if m["subtype"] == "init" {
			return m
		}
	}
	t.Fatalf("no system/init in %s", out)
	return nil
}

// introduction returns the lists of the line system/init in what a CLI has written.
func introduction(t *testing.T, out []byte) map[string][]any {
	t.Helper()
	lists, m := map[string][]any{}, opening(t, out)
	for _, name := range listNames {
		lists[name], _ = m[name].([]any)
	}
	return lists
}

// introduce returns the lists of the simulated CLI.
func introduce(t *testing.T, args, env []string, files map[string]string) map[string][]any {
	t.Helper()
	stdout, stderr, code := greet(t, t.TempDir(), t.TempDir(), args, env, files)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	return introduction(t, stdout)
}

// greet runs the simulated CLI in a folder with files, and returns what it has written and its exit
// code.
func greet(t *testing.T, dir, home string, args, env []string, files map[string]string) (out []byte, errors string, code int) {
	t.Helper()
	s, err := script.Parse("lists", []byte(formatScript))
	if err != nil {
		t.Fatal(err)
	}
	model, err := script.NewModel(s)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	cli := sim.New(sim.Config{
		Args: slices.Concat(introductionArgs, args), Dir: dir, Env: append([]string{"HOME=" + home, "TMPDIR=" + home}, env...),
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Model: model,
	})
	code = cli.Run(t.Context())
	return stdout.Bytes(), stderr.String(), code
}

func TestAListHasWhatTheSessionHas(t *testing.T) {
	for _, test := range introductions {
		t.Run(test.name, func(t *testing.T) {
			lists := introduce(t, test.args, test.env, test.files)
			has := func(text string) bool {
				name, element, _ := strings.Cut(text, ":")
				return slices.Contains(lists[name], any(element))
			}
			for _, text := range test.has {
				if !has(text) {
					t.Errorf("there is no %s", text)
				}
			}
			for _, text := range test.not {
				if has(text) {
					t.Errorf("there is %s", text)
				}
			}
		})
	}
}
