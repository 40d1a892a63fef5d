//go:build live

package scoreboard

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/conformance/sim"
	"github.com/ccwire/ccwire/internal/sandbox"
)

// parallelScript is what the model says in each of the tests that run at once.
const parallelScript = `{"turns": [
	{"match": {"pattern": "write number (\\d+)\\."}, "content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "n.txt", "content": "{{1}}"}}]},
	{"match": {"tool_result": "Write"}, "text": "{{input.content}} is written."},
	{"text": "The second part."}
]}`

// parallelTests are the files with the tests that run at once.
var parallelTests = map[string]string{"typescript": "parallel.test.mjs", "python": "test_parallel.py"}

// parallelMost is how long fifty tests may take on two processors that have nothing else to do.
const parallelMost = 10 * time.Second

// TestLiveFiftyTestsAtOnceShareOneSimulatedCLI is for the runners of tests that people use.
func TestLiveFiftyTestsAtOnceShareOneSimulatedCLI(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "protogen")
	if out, err := exec.Command("go", "build", "-o", bin, "github.com/ccwire/ccwire/cmd/protogen").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, d := range drivers {
		t.Run(d.name, func(t *testing.T) {
			dir, place := d.installed(t), t.TempDir()
			script, log := filepath.Join(place, "script.json"), filepath.Join(place, "log.ndjson")
			if err := os.WriteFile(script, []byte(parallelScript), 0o600); err != nil {
				t.Fatal(err)
			}
			claude, err := exec.Command(bin, "sim", "install", filepath.Join(place, "bin"), "--script", script, "--log", log).Output()
			if err != nil {
				t.Fatal(err)
			}
			scratch, err := sandbox.NewScratch(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer scratch.Remove()
			env := scratch.Env("http://127.0.0.1:1", map[string]string{
				"CLAUDE_CODE_ENTRYPOINT": "", "CLAUDE_CONFIG_DIR": "", "PARALLEL_CLI": strings.TrimSpace(string(claude)), "PYTHONDONTWRITEBYTECODE": "1",
			})
			command := append(testRuns[d.name].run[:len(testRuns[d.name].run):len(testRuns[d.name].run)], parallelTests[d.name])
			if filepath.Base(command[0]) != command[0] {
				command[0] = filepath.Join(dir, command[0])
			}
			if d.name == "python" {
				command = append(command, "--basetemp", filepath.Join(place, "pytest"))
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, command[0], command[1:]...)
			cmd.Dir, cmd.Env = dir, env
			begin := time.Now()
			out, err := cmd.CombinedOutput()
			took, busy := time.Since(begin), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
			if err != nil {
				t.Fatalf("%v\n%s", err, bytes.TrimSpace(out[max(0, len(out)-8000):]))
			}
			t.Logf("%v, of which two processors were busy for %v", took, busy/2)
			if min(took, busy/2) > parallelMost { // beside others, the processors' time counts
				t.Errorf("it takes %v, and two processors are busy for %v; want at most %v", took, busy/2, parallelMost)
			}
			checkParallelLog(t, log)
			for _, folder := range []string{scratch.Home, scratch.Tmp} {
				if left := left(t, folder); len(left) > 0 {
					t.Errorf("it has left %q", left)
				}
			}
			if list := processes(t, place); len(list) > 0 {
				t.Errorf("it has left processes: %q", list)
			}
		})
	}
}

// spoken finds the number that a session is about.
var spoken = regexp.MustCompile(`write number (\d+)\.`)

// checkParallelLog checks that each of the sessions in a log is about one number, and that all are
// there.
func checkParallelLog(t *testing.T, name string) {
	t.Helper()
	entries, err := sim.ReadLog(name)
	if err != nil {
		t.Fatal(err)
	}
	numbers, asked, ended := map[string]string{}, map[string]bool{}, map[string]int{}
	for _, e := range entries {
		for _, m := range spoken.FindAllStringSubmatch(e.Line, -1) {
			if n := numbers[e.Key]; n != "" && n != m[1] {
				t.Fatalf("session %s is about %s and %s", e.Key, n, m[1])
			}
			numbers[e.Key] = m[1]
		}
		if e.Dir == sim.API {
			asked[numbers[e.Key]] = true
		}
		if e.Dir == sim.Exit {
			ended[e.Key]++
		}
	}
	for n := range 50 {
		if !asked[fmt.Sprint(n+1)] {
			t.Errorf("the log has no request about number %d", n+1)
		}
	}
	for key, n := range numbers {
		if ended[key] != 1 {
			t.Errorf("session %s, about number %s, has ended %d times", key, n, ended[key])
		}
	}
}

// left returns the files below a folder.
func left(t *testing.T, folder string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			list = append(list, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// processes returns the command lines of processes that have a folder in them, where the system
// tells them.
func processes(t *testing.T, folder string) (list []string) {
	t.Helper()
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is good
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte(folder)) {
			list = append(list, strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return list
}
