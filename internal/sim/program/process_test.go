package program_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/sim/install"
	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/internal/sim/program"
)

func TestMain(m *testing.M) {
	program.RunConfigured()
	os.Exit(m.Run())
}

// forms are the ways to install the test program as the CLI on this system.
func forms() map[string]func(string, install.Config) (string, error) {
	all := map[string]func(string, install.Config) (string, error){"link": install.Link}
	if runtime.GOOS != "windows" {
		all["script"] = install.Script
	}
	return all
}

// inForms runs a test for each way to install the CLI. Write installs it in a folder whose name a
// shell would take apart.
func inForms(t *testing.T, test func(t *testing.T, write func(install.Config) string)) {
	for name, form := range forms() {
		t.Run(name, func(t *testing.T) {
			test(t, func(c install.Config) string {
				path, err := form(filepath.Join(t.TempDir(), "it's $HOME"), c)
				if err != nil {
					t.Fatal(err)
				}
				return path
			})
		})
	}
}

// script writes a script and returns its name.
func script(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// command returns the program with arguments, in a folder and a home of its own.
func command(t *testing.T, path string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(path, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	return cmd
}

// header returns the first entry of a log.
func header(t *testing.T, name string) journal.Entry {
	t.Helper()
	return entries(t, name)[0]
}

// entries returns the entries of a log, of which there is at least one.
func entries(t *testing.T, name string) []journal.Entry {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list, err := journal.Read(file)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d entries, %v", len(list), err)
	}
	return list
}

func TestAnInstalledProgramPlaysItsConfiguration(t *testing.T) {
	inForms(t, func(t *testing.T, write func(install.Config) string) {
		log := filepath.Join(t.TempDir(), "log.ndjson")
		path := write(install.Config{
			Script: script(t, `{"turns": [{"text": "Hello."}]}`), Log: log, Env: map[string]string{"CLAUDE_CONFIG_DIR": t.TempDir()},
		})
		out, err := command(t, path, "-p", "greet me", "it's $HOME").Output()
		if err != nil || string(out) != "Hello.\n" {
			t.Fatalf("got %q, %v", out, err)
		}
		first := header(t, log)
		if diff := cmp.Diff([]string{"-p", "greet me", "it's $HOME"}, first.Args); diff != "" {
			t.Errorf("the arguments: -want +got\n%s", diff)
		}
		if first.Env["CLAUDE_CONFIG_DIR"] == "" {
			t.Errorf("the environment lacks what was added: %v", first.Env)
		}
		for name := range first.Env {
			if strings.HasPrefix(name, "CCWIRE_") {
				t.Errorf("the environment has %s", name)
			}
		}
	})
}

func TestEachProcessHasALogThatIsNamedAfterIt(t *testing.T) {
	inForms(t, func(t *testing.T, write func(install.Config) string) {
		dir := filepath.Join(t.TempDir(), "logs")
		path := write(install.Config{LogDir: dir})
		for range 2 {
			cmd := command(t, path, "-p", "hello")
			if out, err := cmd.Output(); err != nil || string(out) != "done\n" {
				t.Fatalf("got %q, %v", out, err)
			}
			header(t, filepath.Join(dir, strconv.Itoa(cmd.ProcessState.Pid())+".ndjson"))
		}
	})
}

func TestTheLogHasWhatTheModelWasAsked(t *testing.T) {
	inForms(t, func(t *testing.T, write func(install.Config) string) {
		log := filepath.Join(t.TempDir(), "log.ndjson")
		path := write(install.Config{
			Script: script(t, `{"turns": [{"content": [{"type": "tool_use", "name": "WebFetch", "input": {"url": "https://a.example", "prompt": "p"}}]}, {"text": "Sunny."}],
				"tools": {"WebFetch": {"text": "a page"}}}`), Log: log,
		})
		cmd := command(t, path, "-p", "the weather", "--allowed-tools", "WebFetch", "--append-system-prompt", "be short")
		cmd.Env = append(os.Environ(), "ANTHROPIC_API_KEY=sk-ant-secret")
		if out, err := cmd.Output(); err != nil || string(out) != "Sunny.\n" {
			t.Fatalf("got %q, %v", out, err)
		}
		text, err := os.ReadFile(log)
		if err != nil || strings.Contains(string(text), "sk-ant-secret") {
			t.Fatalf("%s, %v", text, err)
		}
		var asked []string
		for _, e := range entries(t, log) {
			if e.Key == "" || e.Dir == journal.API && e.Number != len(asked)+1 {
				t.Errorf("an entry without its key or number: %+v", e)
			}
			if e.Dir == journal.API {
				asked = append(asked, e.Line)
			}
		}
		if len(asked) != 2 {
			t.Fatalf("the model was asked %q", asked)
		}
		for i, want := range [][]string{{`"text":"the weather"`, "be short", `"model":"claude-`}, {`"name":"WebFetch"`, `"content":"a page"`, `"text":"the weather"`}} {
			for _, part := range want {
				if !strings.Contains(asked[i], part) {
					t.Errorf("request %d has no %s: %s", i+1, part, asked[i])
				}
			}
		}
	})
}

func TestAFaultEndsAnInstalledProgram(t *testing.T) {
	inForms(t, func(t *testing.T, write func(install.Config) string) {
		path := write(install.Config{Faults: []string{"exit=7@result"}})
		var exit *exec.ExitError
		if err := command(t, path, "-p", "hello", "--output-format", "json").Run(); !errors.As(err, &exit) || exit.ExitCode() != 7 {
			t.Errorf("ended with %v, want exit code 7", err)
		}
		if runtime.GOOS == "windows" {
			return // no signals
		}
		path = write(install.Config{Faults: []string{"kill@result"}})
		err := command(t, path, "-p", "hello", "--output-format", "json").Run()
		if !errors.As(err, &exit) || exit.ExitCode() != -1 || !strings.Contains(err.Error(), "killed") {
			t.Errorf("ended with %v, want a signal", err)
		}
	})
}

func TestAConfigurationThatCannotBePlayedIsTrouble(t *testing.T) {
	inForms(t, func(t *testing.T, write func(install.Config) string) {
		for want, c := range map[string]install.Config{
			"script.json:2:2: unknown member": {Script: script(t, "{\n\t\"turn\": []}")},
			`no such fault "nois"`:            {Faults: []string{"nois"}},
			"missing.json":                    {Script: filepath.Join(t.TempDir(), "missing.json")},
		} {
			cmd := command(t, write(c), "-p", "hello")
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(stderr.String(), want) || len(out) > 0 {
				t.Errorf("%v, %q, %s, want exit code 2 and %s", err, out, stderr.String(), want)
			}
		}
	})
}

func TestWhatALinkLeadsToIsNotOverwritten(t *testing.T) {
	for name, form := range forms() {
		t.Run(name, func(t *testing.T) {
			dir, real := t.TempDir(), filepath.Join(t.TempDir(), "claude")
			if err := os.WriteFile(real, []byte("the real CLI"), 0o755); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, filepath.Base(real))
			if err := os.Symlink(real, path); err != nil && runtime.GOOS == "windows" {
				t.Skipf("%v: switch on the developer mode of Windows to run it", err)
			} else if err != nil {
				t.Fatal(err)
			}
			if _, err := form(dir, install.Config{}); err != nil {
				t.Fatal(err)
			}
			if text, err := os.ReadFile(real); err != nil || string(text) != "the real CLI" {
				t.Errorf("the file has %d bytes, %v", len(text), err)
			}
		})
	}
}

// TestAnInstalledProgramIsReplaced installs over a program that is there.
func TestAnInstalledProgramIsReplaced(t *testing.T) {
	for name, form := range forms() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, want := range []string{"One.", "Two."} {
				text, err := json.Marshal(map[string]any{"turns": []any{map[string]any{"text": want}}})
				if err != nil {
					t.Fatal(err)
				}
				path, err := form(dir, install.Config{Script: script(t, string(text))})
				if err != nil {
					t.Fatal(err)
				}
				if out, err := command(t, path, "-p", "hello").Output(); err != nil || string(out) != want+"\n" {
					t.Errorf("got %q, %v, want %s", out, err, want)
				}
			}
		})
	}
}

// closedPipe returns a pipe that nobody reads.
func closedPipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	r.Close()
	return w
}

func TestAPipeThatTheSDKClosedIsNoted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a pipe that nobody reads is another error there")
	}
	for _, test := range []struct {
		stream string
		code   int
	}{{"stdout", 128 + 13}, {"stderr", 0}} {
		t.Run(test.stream, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log.ndjson")
			path, err := install.Link(t.TempDir(), install.Config{Log: log, Faults: []string{"stderr=hello%0A@result"}})
			if err != nil {
				t.Fatal(err)
			}
			cmd := command(t, path, "-p", "hello", "--output-format", "stream-json", "--verbose")
			if test.stream == "stdout" {
				cmd.Stdout = closedPipe(t)
			} else {
				cmd.Stderr = closedPipe(t)
			}
			_ = cmd.Run() // the state has what it says
			if code := cmd.ProcessState.ExitCode(); code != test.code {
				t.Errorf("ended with %v", cmd.ProcessState)
			}
			text, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), `"dir":"closed"`); n != 1 || !strings.Contains(string(text), `"line":"`+test.stream+`"`) {
				t.Errorf("the log has\n%s", text)
			}
		})
	}
}
