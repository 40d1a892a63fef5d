package sim_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/sim"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// waiting is a session that waits for initialize, with more arguments.
func waiting(t *testing.T, in io.Reader, args ...string) (s *sim.Session, stdout, stderr *bytes.Buffer) {
	t.Helper()
	model, err := script.NewModel(&script.Script{})
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return sim.New(sim.Config{
		Args: append([]string{"--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--await-initialize"}, args...),
		Dir:  t.TempDir(), Env: []string{"CLAUDE_CONFIG_DIR=" + t.TempDir(), "CLAUDE_CODE_STARTUP_FAILURE_RESULTS=1"},
		Model: model, Stdin: in, Stdout: stdout, Stderr: stderr,
	}), stdout, stderr
}

func TestASessionThatWaitsForInitializeSaysWhyItDoesNotStart(t *testing.T) {
	initialize := func(members string) string {
		return `{"type":"control_request","request_id":"1","request":{"subtype":"initialize"` + members + "}}\n"
	}
	for _, test := range []struct{ name, fields, line, reason, told string }{
		{"another line", "", `{"type":"user","message":{"role":"user","content":"hi"}}` + "\n", "initialize_not_first", "a different message"},
		{"no JSON", "", "{\n", "initialize_not_first", "not valid JSON"},
		{"nothing", "settings", "", "initialize_fields_not_delivered", "no usable initialize request"},
		{"no settings", "settings", initialize(""), "initialize_fields_not_delivered", "a JSON object"},
		{"settings of another kind", "settings", initialize(`,"settings":3`), "initialize_fields_not_delivered", "a JSON object"},
		{"tools of another kind", "settings,disallowedTools", initialize(`,"settings":{},"disallowedTools":[1]`), "initialize_fields_not_delivered", "an array of strings"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var args []string
			if test.fields != "" {
				args = []string{"--initialize-fields", test.fields}
			}
			s, stdout, stderr := waiting(t, strings.NewReader(test.line), args...)
			if code := s.Run(t.Context()); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			if want := `"startup_failure_reason":"` + test.reason + `"`; !strings.Contains(stdout.String(), want) || !strings.Contains(stderr.String(), test.told) {
				t.Errorf("stdout %s\nstderr %s\nwant %s and %q", stdout, stderr, want, test.told)
			}
		})
	}
}

func TestAFieldOfInitializeAndItsFlagExcludeEachOther(t *testing.T) {
	s, _, stderr := waiting(t, strings.NewReader(`{"type":"control_request","request_id":"1","request":{"subtype":"initialize","settings":{}}}`+"\n"),
		"--initialize-fields", "settings", "--settings", "{}")
	if code := s.Run(t.Context()); code != 1 || !strings.Contains(stderr.String(), "cannot be used with --settings") {
		t.Errorf("exit code %d, stderr %s", code, stderr)
	}
}

func TestASessionThatWaitsForInitializeEndsWithASignal(t *testing.T) {
	in, stdin := io.Pipe()
	defer stdin.Close()
	s, stdout, _ := waiting(t, in)
	s.Signal("TERM")
	if code := s.Run(t.Context()); code != 143 || stdout.Len() > 0 {
		t.Errorf("exit code %d, want 143; stdout %s", code, stdout)
	}
}
