//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hangingCLI is a CLI that plays what the probe and the first scenario want, and then hangs with a
// process of its own. It writes the ids of both to PIDS.
const hangingCLI = `#!/bin/sh
if [ "$1" = --version ]; then exec protogen sim --version; fi
for n in probe first; do
	if mkdir STATE/$n 2>/dev/null; then exec protogen sim --script STATE/deny.json "$@"; fi
done
sleep 1000 &
echo $$ $! > PIDS
wait
`

// deniedWrite is what the model says in the scenario permission/deny.
const deniedWrite = `{"turns": [
	{"content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "a.txt", "content": "hi"}}]},
	{"text": "Fine."}
]}`

// hangingParser is a parser that hangs at its fourth stream, with a process of its own.
const hangingParser = `#!/bin/sh
for n in 1 2 3; do
	if mkdir STATE/$n 2>/dev/null; then exec my-parser; fi
done
sleep 1000 &
echo $$ $! > PIDS
wait
`

// hangingNPM hangs with a process of its own.
const hangingNPM = `#!/bin/sh
sleep 1000 &
echo $$ $! > PIDS
wait
`

func TestASignalEndsTheRunWithWhatWasDone(t *testing.T) {
	for _, row := range []struct {
		name, script string
		args         string // DIR stands for the folder of the test
		stdout       string
		stderr       string
	}{
		{"conform", hangingCLI, "conform cli --parallel 1 --run permission/deny --run turn/text --bin DIR/program", `^$`,
			`(?m)^protogen: stopped after 1 of 2 scenarios: 1 holds; nothing is left running$`},
		{"conform, the caller's network", hangingCLI, "conform cli --shared-network --parallel 1 --run permission/deny --run turn/text --json --bin DIR/program", `^$`,
			`^protogen: stopped after 1 of 2 scenarios: 1 holds; nothing is left running\n$`},
		{"record", hangingCLI, "record --shared-network --parallel 1 --run permission/deny --run turn/text --out DIR/out --bin DIR/program", `^$`,
			`^protogen: stopped after 1 of 2 scenarios: 1 holds, 1 recording written to .*/out; nothing is left running\n$`},
		{"fuzz", hangingParser, "fuzz framing --no-memory --time 1h -- DIR/program", `^not a pass: 202 hand-made streams never played; --time .* is enough\n3 runs in .* s, seed 1: nothing found so far\n$`,
			`^protogen: stopped after 3 runs; nothing is left running\n$`},
		{"npm", hangingNPM, "conform cli --npm 9.9.9", `^$`,
			`^protogen: installing .*9\.9\.9 from npm\nprotogen: stopped before the start; nothing is left running\n$`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			dir, tmp := t.TempDir(), t.TempDir()
			fifo := filepath.Join(dir, "pids")
			if err := syscall.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "deny.json"), []byte(deniedWrite), 0o600); err != nil {
				t.Fatal(err)
			}
			script := strings.NewReplacer("STATE", dir, "PIDS", fifo).Replace(row.script)
			for _, name := range []string{"program", "npm"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("protogen", strings.Fields(strings.ReplaceAll(row.args, "DIR", dir))...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			cmd.Env = append(os.Environ(), "TMPDIR="+tmp, "CCWIRE_CACHE="+tmp, "PATH="+dir+":"+os.Getenv("PATH"))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			children := readPIDs(t, cmd, fifo)
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitStopped {
				t.Errorf("ended with %v, want exit code %d", err, exitStopped)
			}
			if !regexp.MustCompile(row.stdout).Match(stdout.Bytes()) || !regexp.MustCompile(row.stderr).Match(stderr.Bytes()) {
				t.Errorf("stdout:\n%s\nstderr:\n%s", stdout.String(), stderr.String())
			}
			for _, pid := range children {
				waitGone(t, pid)
			}
			left, err := os.ReadDir(tmp)
			if err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// readPIDs waits until the script hangs and returns the processes that it has said.
func readPIDs(t *testing.T, cmd *exec.Cmd, fifo string) (pids []int) {
	t.Helper()
	late := time.AfterFunc(time.Minute, func() {
		// Opening the other end ends the wait below.
		cmd.Process.Kill()
		os.WriteFile(fifo, nil, 0o600)
	})
	defer late.Stop()
	text, err := os.ReadFile(fifo)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	if len(pids) != 2 {
		cmd.Wait()
		t.Fatalf("the script did not come to its end: %q\n%s", text, cmd.Stderr)
	}
	return pids
}

// waitGone waits until a process has ended; its parent may be slow to take notice.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		gone := syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ")
		if gone {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d is left", pid)
		}
	}
}

// TestASignalEndsValidateWithItsSummary sends it while validate waits for more.
func TestASignalEndsValidateWithItsSummary(t *testing.T) {
	cmd := exec.Command("protogen", "validate", "-")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, `{"type":"keep_alive","more":1}`+"\n"); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(stdout)
	if _, err := out.ReadString('\n'); err != nil { // the finding
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitStopped {
		t.Errorf("ended with %v, want exit code %d", err, exitStopped)
	}
	for _, want := range []string{"1 line in 1 file, 1 invalid\n", "protogen: stopped after 1 line; nothing is left running\n"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("no %q in %q", want, stderr.String())
		}
	}
}
