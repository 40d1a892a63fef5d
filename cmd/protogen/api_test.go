package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// agent is a program that asks the API for each of its arguments, as the CLI does, and prints the
// answers. With an argument that begins with "exit" it ends with that code, with "env:NAME" it
// prints a variable.
func agent() {
	for _, arg := range os.Args[1:] {
		var code int
		if name, ok := strings.CutPrefix(arg, "env:"); ok {
			fmt.Printf("%s=%s\n", name, os.Getenv(name))
			continue
		}
		if n, err := fmt.Sscanf(arg, "exit %d", &code); n == 1 && err == nil {
			os.Exit(code)
		}
		text, err := ask(os.Getenv("ANTHROPIC_BASE_URL"), arg)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(text)
	}
}

// ask returns the text of an answer.
func ask(url, prompt string) (string, error) {
	body, err := json.Marshal(map[string]any{
		"model": "m", "max_tokens": 1, "tools": []any{map[string]any{"name": "Write"}},
		"messages": []any{map[string]any{"role": "user", "content": prompt}},
	})
	if err != nil {
		return "", err
	}
	resp, err := http.Post(url+"/v1/messages", "application/json", strings.NewReader(string(body)))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var answer struct{ Content []struct{ Text string } }
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || len(answer.Content) == 0 {
		return "", errors.Join(fmt.Errorf("status %d", resp.StatusCode), err)
	}
	return answer.Content[0].Text, nil
}

// served is a "protogen api" that runs without a command.
type served struct {
	cmd    *exec.Cmd
	tmp    string // its folder for temporary files
	out    *bufio.Reader
	stderr strings.Builder
}

func serveAPI(t *testing.T, args ...string) *served {
	t.Helper()
	script := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(script, []byte(`{"turns": [{"text": "Hello."}, {"text": "Never."}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &served{tmp: t.TempDir(), cmd: exec.Command("protogen", append([]string{"api", "--script", script}, args...)...)}
	s.cmd.Env = append(os.Environ(), "TMPDIR="+s.tmp, "ANTHROPIC_AUTH_TOKEN=secret")
	s.cmd.Stderr = &s.stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.cmd.Process.Kill() }) // if it has not ended
	s.out = bufio.NewReader(out)
	return s
}

// line reads a line of the standard output.
func (s *served) line(t *testing.T) string {
	t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, s.stderr.String())
	}
	return strings.TrimSuffix(line, "\n")
}

// stop interrupts it, and returns the rest of its output.
func (s *served) stop(t *testing.T) string {
	t.Helper()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(s.out)
	if err != nil {
		t.Error(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v, want exit code 0\n%s", err, s.stderr.String())
	}
	return string(rest)
}

func TestAPIPrintsTheEnvironmentForAShell(t *testing.T) {
	s := serveAPI(t)
	var lines []string
	for len(lines) == 0 || !strings.HasPrefix(lines[len(lines)-1], "unset ") {
		lines = append(lines, s.line(t))
	}
	shell := strings.Join(lines, "\n")
	out, err := exec.Command("sh", "-c", shell+"\nmy-agent 'greet me' env:ANTHROPIC_API_KEY env:ANTHROPIC_AUTH_TOKEN env:CLAUDE_CONFIG_DIR").CombinedOutput()
	want := "Hello.\nANTHROPIC_API_KEY=sk-ant-dummy\nANTHROPIC_AUTH_TOKEN=\nCLAUDE_CONFIG_DIR=" + s.tmp
	if err != nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("after\n%s\n%v, %s, want %s", shell, err, out, want)
	}
	if rest := s.stop(t); rest != "" {
		t.Errorf("more is printed: %s", rest)
	}
	if want := "protogen: api: main \"greet me\": turn 1\nprotogen: api: turn 2 was not asked for\n"; s.stderr.String() != want {
		t.Errorf("the standard error is %q, want %q", s.stderr.String(), want)
	}
}

func TestAPIPrintsWhatHappensAsJSON(t *testing.T) {
	s := serveAPI(t, "--json")
	var begin apiBegin
	if err := json.Unmarshal([]byte(s.line(t)), &begin); err != nil || begin.Env["ANTHROPIC_BASE_URL"] != begin.URL {
		t.Fatalf("%+v, %v", begin, err)
	}
	if text, err := ask(begin.URL, "greet me"); err != nil || text != "Hello." {
		t.Errorf("%q, %v", text, err)
	}
	var request apiRequest
	if err := json.Unmarshal([]byte(s.line(t)), &request); err != nil || request.Text != "greet me" || request.Turn != 1 {
		t.Errorf("%+v, %v", request, err)
	}
	if rest, want := s.stop(t), `{"event":"end","unused":[2]}`+"\n"; rest != want {
		t.Errorf("the end is %q, want %q", rest, want)
	}
}
