package sim_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/conformance/sim"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

const writing = `{"turns": [
	{"content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "a.txt", "content": "hi"}}]},
	{"text": "Written."}
]}`

// open opens a session with a simulated CLI.
func open(t *testing.T, cli *sim.CLI, options *transport.Options) *transport.Session {
	t.Helper()
	options.Dir = t.TempDir()
	options.Env = []string{"HOME=" + t.TempDir(), "CLAUDE_CONFIG_DIR=" + t.TempDir()}
	session, err := transport.Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func TestSessionIsServedInTheProcess(t *testing.T) {
	cli, err := sim.New([]byte(writing))
	if err != nil {
		t.Fatal(err)
	}
	options := cli.Options()
	asked := ""
	options.CanUseTool = func(_ context.Context, r *wire.CanUseToolRequest) (wire.PermissionResult, error) {
		asked = r.ToolName
		return r.Allow(), nil
	}
	session := open(t, cli, options)
	result, err := session.Turn(t.Context(), "write a file").Result()
	if err != nil || result.Text() != "Written." || asked != "Write" {
		t.Fatalf("%v, %v, asked for %q", result, err, asked)
	}
	if data, err := os.ReadFile(filepath.Join(options.Dir, "a.txt")); err != nil || string(data) != "hi" {
		t.Errorf("the file has %q, %v", data, err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	log := cli.Log()
	if last := log[len(log)-1]; log[0].Dir != sim.Header || last.Dir != sim.Exit || last.Code == nil || *last.Code != 0 {
		t.Errorf("the log begins with %v and ends with %v", log[0], log[len(log)-1])
	}
	if lines := cli.Lines(sim.ToCLI); !strings.Contains(strings.Join(lines, "\n"), "write a file") {
		t.Errorf("the SDK wrote %q", lines)
	}
}

func TestWhatIsTheUsersOwnIsNeitherReadNorWritten(t *testing.T) {
	cli, err := sim.New([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	own := filepath.Join(home, ".claude")
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	settings := `{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "exit 2"}]}]}}`
	if err := os.WriteFile(filepath.Join(own, "settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	options := cli.Options()
	options.Dir, options.Env = t.TempDir(), []string{"HOME=" + home, "XDG_CACHE_HOME="}
	result, err := transport.Query(t.Context(), "hello", options).Result()
	if err != nil || result.Text() != "done" {
		t.Errorf("got %v, %v", result, err)
	}
	if list, err := os.ReadDir(own); err != nil || len(list) != 1 {
		t.Errorf("the folder has %v, %v", list, err)
	}
	if list, err := os.ReadDir(home); err != nil || len(list) != 1 {
		t.Errorf("the home has %v, %v", list, err)
	}
}

func TestASessionIsResumedInTheProcessAndLeavesNothing(t *testing.T) {
	cli, err := sim.New([]byte(`{"turns": [{"match": {"told": "the word is xyzzy", "text": "what is it"}, "text": "xyzzy."}], "default": {"text": "Noted."}}`))
	if err != nil {
		t.Fatal(err)
	}
	home, tmp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	options := cli.Options()
	options.Dir, options.Env = t.TempDir(), []string{"HOME=" + home, "XDG_CACHE_HOME=", "CLAUDE_CONFIG_DIR="}
	first, err := transport.Query(t.Context(), "the word is xyzzy", options).Result()
	if err != nil {
		t.Fatal(err)
	}
	options.Args = []string{"--resume", sessionOf(t, cli)}
	second, err := transport.Query(t.Context(), "what is it", options).Result()
	if err != nil || second.Text() != "xyzzy." {
		t.Errorf("got %v after %v, %v", second, first, err)
	}
	for _, dir := range []string{home, tmp} {
		if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
			t.Errorf("%s has %v, %v", dir, list, err)
		}
	}
}

// sessionOf returns the id of the session that a CLI has played.
func sessionOf(t *testing.T, cli *sim.CLI) string {
	t.Helper()
	for _, line := range cli.Lines(sim.ToSDK) {
		var m struct {
			ID string `json:"session_id"`
		}
		if json.Unmarshal([]byte(line), &m) == nil && m.ID != "" {
			return m.ID
		}
	}
	t.Fatal("no session has an id")
	return ""
}

func TestFaultsReachTheSDK(t *testing.T) {
	for fault, holds := range map[string]func(error) bool{
		"noise":            func(err error) bool { return err == nil },
		"split@result":     func(err error) bool { return err == nil },
		"exit=3@result":    func(err error) bool { var exit *transport.ExitError; return errors.As(err, &exit) && exit.Code == 3 },
		"half-line@result": func(err error) bool { var exit *transport.ExitError; return errors.As(err, &exit) && exit.Code == 1 },
		"kill=TERM@result": func(err error) bool {
			var exit *transport.ExitError
			return errors.As(err, &exit) && exit.Signal == "terminated"
		},
		"unknown-type":       func(err error) bool { return err == nil },
		"cr":                 func(err error) bool { return err == nil },
		"long=200000@result": func(err error) bool { return err == nil },
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			cli, err := sim.New(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := cli.Fault(fault); err != nil {
				t.Fatal(err)
			}
			_, err = open(t, cli, cli.Options()).Turn(t.Context(), "hello").Result()
			if !holds(err) {
				t.Error(err)
			}
		})
	}
}

func TestBadScriptsAndFaultsAreErrorsWithTheirPlace(t *testing.T) {
	for script, part := range map[string]string{
		"{\n\"turns\": [\n{\"txt\": 1}]}":  "script:3:2",
		"{\n\"faults\": [\"nois\"]}":       "script:2:13",
		"{\n\"turns\": [{\"text\": \"a\"}": "script:2",
		"{\"turns\": []}\n\nmore":          "more text",
	} {
		if _, err := sim.New([]byte(script)); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v, want %s", script, err, part)
		}
	}
	cli, err := sim.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	if cli.Fault("nois") == nil {
		t.Error("the fault is taken")
	}
}

func TestAnOlderVersionIsSimulated(t *testing.T) {
	cli, err := sim.New([]byte(`{"turns": [{"text": "Hello."}], "cli_version": "2.1.90"}`))
	if err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]string{"": "2.1.90", "2.1.250": "2.1.250"} {
		cli.CLIVersion = version
		options := cli.Options()
		options.Dir = t.TempDir()
		if _, err := transport.Query(t.Context(), "greet", options).Result(); err != nil {
			t.Errorf("%q: %v", version, err)
		}
		if !slices.ContainsFunc(cli.Log(), func(e sim.Entry) bool { return e.Dir == sim.Header && e.Version == want }) {
			t.Errorf("%q: no session is of %s", version, want)
		}
	}
	cli.CLIVersion = "3.0.0"
	if _, err := transport.Query(t.Context(), "greet", cli.Options()).Result(); err == nil || !strings.Contains(err.Error(), "newer than") {
		t.Errorf("the error of a version that is not simulated is %v", err)
	}
	if _, err := cli.Install(t.TempDir()); err == nil || !strings.Contains(err.Error(), "newer than") {
		t.Errorf("the error of a program of such a version is %v", err)
	}
}

func TestAQueryThatIsCancelledEndsWhileTheModelTakesItsTime(t *testing.T) {
	cli, err := sim.New([]byte(`{"turns": [{"text": "late", "pace": {"before": "1h"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	options := cli.Options()
	options.Dir = t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	turn := transport.Query(ctx, "hello", options)
	for f := range turn.Messages() {
		if f != nil {
			cancel()
		}
	}
	if _, err := turn.Result(); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	cancel()
}
