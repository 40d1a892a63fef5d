package sim_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/conformance/sim"
	"github.com/ccwire/ccwire/transport"
)

// query starts the program with one prompt, and returns the result.
func query(t *testing.T, path, prompt string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	result, err := transport.Query(t.Context(), prompt, &transport.Options{CLI: path, Dir: dir, Env: []string{"HOME=" + dir}}).Result()
	if err != nil {
		return "", err
	}
	return result.Text(), nil
}

func TestThisProgramCanBeTheCLI(t *testing.T) {
	cli, err := sim.New([]byte(`{"turns": [{"text": "From a process."}]}`))
	if err != nil {
		t.Fatal(err)
	}
	path, err := cli.Install(filepath.Join(t.TempDir(), "it's [new]"))
	if err != nil {
		t.Fatal(err)
	}
	for _, prompt := range []string{"hello", "hello again"} { // each process plays the script from the start
		if text, err := query(t, path, prompt); err != nil || text != "From a process." {
			t.Fatalf("%q, %v", text, err)
		}
	}
	if said := strings.Join(cli.Lines(sim.ToCLI), "\n"); strings.Index(said, `"hello"`) > strings.Index(said, `"hello again"`) || !strings.Contains(said, "hello again") {
		t.Errorf("the SDK wrote\n%s", said)
	}
	var begins, ends int
	for _, e := range cli.Log() {
		switch e.Dir {
		case sim.Header:
			begins++
		case sim.Exit:
			ends++
		}
	}
	if ends != 2 || begins < ends { // a process that is asked for its version may have no end yet
		t.Errorf("%d sessions begin and %d end in\n%v", begins, ends, cli.Log())
	}
}

func TestFaultsOfAProgramReachTheSDK(t *testing.T) {
	for fault, holds := range map[string]func(*transport.ExitError) bool{
		"exit=3@result":    func(e *transport.ExitError) bool { return e.Code == 3 },
		"kill=TERM@result": func(e *transport.ExitError) bool { return e.Signal == "terminated" || e.Code == 143 }, // Windows has no signals
	} {
		cli, err := sim.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := cli.Fault(fault); err != nil {
			t.Fatal(err)
		}
		path, err := cli.Install(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		var exit *transport.ExitError
		if _, err := query(t, path, "hello"); !errors.As(err, &exit) || !holds(exit) {
			t.Errorf("%s: %v", fault, err)
		}
	}
}

func TestAProgramIsAsTheCLISaysWhenItIsInstalled(t *testing.T) {
	cli, err := sim.New([]byte(writing))
	if err != nil {
		t.Fatal(err)
	}
	cli.NoTools, cli.StrictFlags = true, true
	path, err := cli.Install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cli.NoTools, cli.StrictFlags = false, false
	cmd := exec.Command(path, "-p", "write", "--permission-mode", "acceptEdits")
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"HOME=" + t.TempDir()}
	if out, err := cmd.Output(); err != nil || string(out) != "Written.\n" {
		t.Errorf("got %q, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(cmd.Dir, "a.txt")); !os.IsNotExist(err) {
		t.Errorf("a tool acted: %v", err)
	}
	if out, err := exec.Command(path, "--flag-of-tomorrow").CombinedOutput(); err == nil || !strings.Contains(string(out), "unknown option '--flag-of-tomorrow'") {
		t.Errorf("an unknown flag is taken: %s, %v", out, err)
	}
}

func TestWhatTheProgramStartsIsNotTakenForTheCLI(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cli, err := sim.New([]byte(`{"tools_anywhere": true, "turns": [
		{"content": [{"type": "tool_use", "name": "Bash", "input": {"command": "` + self + ` -test.list ."}}]},
		{"text": "Run."}
	]}`))
	if err != nil {
		t.Fatal(err)
	}
	path, err := cli.Install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-p", "run", "--permission-mode", "bypassPermissions", "--output-format", "stream-json", "--verbose")
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "IS_SANDBOX=1"} // it may run as root
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), t.Name()) {
		t.Errorf("the tests are not listed: %v\n%s", err, out)
	}
}
