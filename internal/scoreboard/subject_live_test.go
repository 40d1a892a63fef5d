//go:build live

package scoreboard

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ccwire/ccwire/internal/scoreboard/ccwire"
	"github.com/ccwire/ccwire/internal/suite/sdk/sdktest"
)

// subjects are what this program is for the runner of scenarios.
var subjects = map[string]func(args []string) int{
	"ccwire": func([]string) int { return exitCode(ccwire.SDK.Serve(os.Stdin, os.Stdout)) },
	"warm": func(args []string) int {
		code, err := join(args[0])
		return max(code, exitCode(err))
	},
}

func exitCode(err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// command returns the command line of the driver of protogen conform sdk. What it starts ends with
// the test.
func (d *driver) command(t *testing.T) []string {
	t.Helper()
	dir := d.installed(t)
	interpreter := d.program[0]
	if strings.Contains(interpreter, "/") {
		interpreter = filepath.Join(dir, interpreter)
	}
	switch {
	case d.judge == "":
		return []string{interpreter}
	case d.warm == "":
		return []string{interpreter, filepath.Join(dir, d.judge)}
	}
	socket := filepath.Join(t.TempDir(), "warm")
	cmd := exec.Command(interpreter, filepath.Join(dir, d.warm), socket)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%s: %q, %v", d.warm, line, err)
	}
	return sdktest.Command("warm", socket)
}

// join lets the program at the socket be the driver, with the streams, the folder, the environment
// and the process group of this one, and returns its exit code.
func join(socket string) (int, error) {
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	env := map[string]string{}
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		env[name] = value
	}
	text, err := json.Marshal(map[string]any{"cwd": dir, "env": env, "group": syscall.Getpgrp()})
	if err != nil {
		return 0, err
	}
	if _, _, err := conn.WriteMsgUnix(text, syscall.UnixRights(0, 1, 2), nil); err != nil {
		return 0, err
	}
	code := make([]byte, 1)
	if _, err := io.ReadFull(conn, code); err != nil {
		return 0, errors.New("the driver was not started")
	}
	return int(code[0]), nil
}
