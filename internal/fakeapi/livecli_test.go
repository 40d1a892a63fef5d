//go:build live

package fakeapi

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/npm"
)

// liveCLI is the real CLI on two pipes, in a scratch home, with the fake API as its only address.
type liveCLI struct {
	testing.TB
	dir   string // its working directory
	in    *json.Encoder
	lines chan liveLine // closed when the CLI closes its output
}

// liveLine has the members of a line that these tests look at.
type liveLine struct {
	Type      string `json:"type"`
	Subtype   string `json:"subtype"`
	RequestID string `json:"request_id"`
	Result    string `json:"result"`
	IsError   bool   `json:"is_error"`
	Request   struct {
		Subtype string          `json:"subtype"`
		Input   json.RawMessage `json:"input"`
	} `json:"request"`
	Response struct {
		Subtype   string `json:"subtype"`
		RequestID string `json:"request_id"`
	} `json:"response"`
}

// startCLI starts the program that CLAUDE_CLI names, or the pinned version, in the environment of
// the server, and initializes the session.
func startCLI(t testing.TB, srv *Server) *liveCLI {
	t.Helper()
	path, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	env := srv.Env(filepath.Join(root, "home"))
	for name, variable := range map[string]string{"tmp": "TMPDIR", "work": "PWD"} {
		dir := filepath.Join(root, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		env = append(env, variable+"="+dir)
	}
	cmd := exec.CommandContext(t.Context(), path, "--output-format", "stream-json", "--verbose", "--input-format", "stream-json",
		"--permission-prompt-tool", "stdio", "--permission-mode", "default")
	cmd.Env, cmd.Dir = env, filepath.Join(root, "work")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &liveCLI{TB: t, dir: cmd.Dir, in: json.NewEncoder(stdin), lines: make(chan liveLine, 1000)}
	// The reader owns stdout and lines; it ends when the CLI closes its output.
	go func() {
		defer close(c.lines)
		in := bufio.NewReader(stdout)
		for {
			line, err := in.ReadBytes('\n')
			if err != nil {
				return
			}
			var l liveLine
			if json.Unmarshal(line, &l) == nil {
				c.lines <- l
			}
		}
	}()
	t.Cleanup(func() {
		stdin.Close()
		for range c.lines {
		}
		_ = cmd.Wait() // 1 when the last result is an error
		if t.Failed() {
			t.Logf("stderr of the CLI:\n%s", stderr.String())
		}
	})
	c.write(map[string]any{"type": "control_request", "request_id": "init", "request": map[string]any{"subtype": "initialize"}})
	c.until(func(l liveLine) bool { return l.Type == "control_response" && l.Response.RequestID == "init" })
	return c
}

func (c *liveCLI) write(v any) {
	c.Helper()
	if err := c.in.Encode(v); err != nil {
		c.Fatal(err)
	}
}

// say sends a user message.
func (c *liveCLI) say(text string) {
	c.Helper()
	c.write(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": text}})
}

// until reads to the first line that cond accepts, and allows every tool on the way.
func (c *liveCLI) until(cond func(liveLine) bool) liveLine {
	c.Helper()
	timeout := time.After(time.Minute)
	for {
		select {
		case l, ok := <-c.lines:
			if !ok {
				c.Fatal("the CLI has ended")
			}
			if l.Type == "control_request" && l.Request.Subtype == "can_use_tool" {
				c.write(map[string]any{"type": "control_response", "response": map[string]any{
					"subtype": "success", "request_id": l.RequestID,
					"response": map[string]any{"behavior": "allow", "updatedInput": l.Request.Input},
				}})
			}
			if cond(l) {
				return l
			}
		case <-timeout:
			c.Fatal("the CLI says nothing more")
		}
	}
}

// result reads to the end of the turn.
func (c *liveCLI) result() liveLine {
	c.Helper()
	return c.until(func(l liveLine) bool { return l.Type == "result" })
}
