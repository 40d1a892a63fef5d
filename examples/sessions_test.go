package examples

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A session is a run of an example that goes well, with the simulated CLI as with the real one.
type session struct {
	example string
	args    []string // {cwd} is the folder in which it runs; the last one is the prompt
	stdin   string   // with the prompts, for a program that takes no arguments
	results []bool   // whether each tool failed
	stdout  string
}

var sessions = []session{{
	example: "ask",
	args:    []string{"What is the capital of France?"},
	stdout:  "The capital of France is Paris.\n",
}, {
	example: "chat",
	stdin:   "What is the capital of France?\nAnd of Spain?\n",
	stdout:  "The capital of France is Paris.\nThat of Spain is Madrid.\n",
}, {
	example: "batch",
	stdin:   "one\ntwo\nthree\n",
	stdout:  "one: 1\ntwo: 2\nthree: 3\n",
}, {
	example: "hooks",
	args:    []string{"How many files are here? Then delete them all."},
	results: []bool{false, true},
	stdout: `passed: ls
There is one file. I was not allowed to delete it.
`,
}, {
	example: "mcptool",
	args:    []string{"What is 123456789 * 987654321? Use the tool."},
	results: []bool{true, false},
	stdout:  "It is 121932631112635269.\n",
}, {
	example: "policy",
	args:    []string{"{cwd}", "Write a haiku to haiku.txt, and another one to /tmp/haiku.txt"},
	results: []bool{false, false, true, true},
	stdout: `denied: Write {"file_path":"/tmp/haiku.txt","content":"another line"}
denied: Bash {"command":"touch c.txt","description":"make a file"}
I wrote haiku.txt only: the rest was not allowed.
`,
}}

// build builds some programs, the examples if none are given, and returns the folder with them.
func build(t *testing.T, programs ...string) string {
	t.Helper()
	if len(programs) == 0 {
		for _, s := range sessions {
			programs = append(programs, "./"+s.example)
		}
	}
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"build", "-o", dir + string(filepath.Separator)}, programs...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// outcome is what a user sees of a program.
type outcome struct {
	stdout, stderr string
	code           int
}

// run runs a program of the folder with nothing in its environment but env and what the system
// needs.
func run(t *testing.T, folder, program, dir string, env []string, stdin string, args ...string) outcome {
	t.Helper()
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(folder, program), args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append([]string{"SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}, env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}
