package sim_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/sim"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// formats are runs with a prompt as an argument, and what they write.
var formats = []struct {
	name string
	args string
	code int
	want string // see shape
	err  string // on stderr
	in   string // the input
	open bool   // the input is not closed
}{
	{"no format", "-p greet", 0, "Hello.", "", "", false},
	{"text", "-p greet --output-format text", 0, "Hello.", "", "", false},
	{"text, verbose", "-p greet --verbose", 0, "Hello.", "", "", false},
	{"text of an error", "-p break", 1, "API Error: 500 broken.", "", "", false},
	{"json", "-p greet --output-format json", 0, "result/success Hello.", "", "", false},
	{"json of an error", "-p break --output-format json", 1, "result/success API Error: 500 broken.", "", "", false},
	{"json, verbose", "-p greet --output-format json --verbose", 0, "[system/init, assistant, result/success Hello.]", "", "", false},
	{"json, verbose, with a tool", "-p write --output-format json --verbose --permission-mode acceptEdits", 0,
		"[system/init, assistant, user, assistant, result/success Written.]", "", "", false},
	{"json, verbose, of an error", "-p break --output-format json --verbose", 1, "[system/init, assistant, result/success API Error: 500 broken.]", "", "", false},
	{"parts of messages need lines", "-p greet --output-format json --include-partial-messages", 1, "", "requires --print and --output-format=stream-json", "", false},
	{"lines need verbose", "-p greet --output-format stream-json", 1, "", "requires --verbose", "", false},
	{"a command that needs a terminal", "-p /help --output-format json", 0, "result/success /help isn't available in this environment.", "", "", false},
	{"an input beside the prompt", "-p please", 0, "Hello.", "", "greet", false},
	{"an input that is open and silent", "-p greet", 0, "Hello.", "no stdin data received in 3s", "", true},
	{"neither a prompt nor an input", "-p", 1, "", "Input must be provided", "", false},
	{"no prompt, and an input that is open and silent", "-p", 1, "", "Input must be provided", "", true},
	{"a format that is not one", "-p greet --output-format nosuch", 1, "", "Allowed choices are text, json, stream-json", "", false},
	{"a part of no session", "-p greet --resume-session-at 11111111-2222-4333-8444-555555555555", 1, "", "requires --resume", "", false},
	{"an id that is not one", "-p greet --session-id nosuch", 1, "", "Must be a valid UUID", "", false},
	{"an id for a session that goes on", "-p greet --continue --session-id 11111111-2222-4333-8444-555555555555", 1, "", "--fork-session", "", false},
	{"a session that is not named", "-p greet --resume", 1, "", "--resume requires a valid session ID", "", false},
	{"settings of nobody", "-p greet --setting-sources nosuch", 1, "", "Invalid setting source: nosuch", "", false},
	{"a system prompt that is not there", "-p greet --system-prompt-file nosuch.txt", 1, "", "System prompt file not found", "", false},
	{"subagents that are not JSON", "-p greet --agents {", 1, "", "Invalid --agents configuration", "", false},
}

const formatScript = `{"turns": [
	{"match": {"text": "greet"}, "text": "Hello."},
	{"match": {"text": "break"}, "error": {"status": 500, "message": "broken"}, "header": {"x-should-retry": "false"}},
	{"match": {"text": "write"}, "content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "a.txt", "content": "hi"}}]},
	{"text": "Written."}
]}`

// shape is what a run has written, without what differs between runs: a text up to its first
// sentence, the kind of an object, the kinds in an array.
func shape(out []byte) string {
	text, whole := strings.CutSuffix(string(out), "\n")
	switch {
	case len(out) > 0 && !whole || strings.Contains(text, "\n"):
		return fmt.Sprintf("not one line: %q", out)
	case strings.HasPrefix(text, "["):
		var list []json.RawMessage
		if err := json.Unmarshal(out, &list); err != nil {
			return err.Error()
		}
		kinds := make([]string, len(list))
		for i, m := range list {
			kinds[i] = kind(m)
		}
		return "[" + strings.Join(kinds, ", ") + "]"
	case strings.HasPrefix(text, "{"):
		return kind(out)
	}
	return sentence(text)
}

func kind(message []byte) string {
	var m struct{ Type, Subtype, Result string }
	if err := json.Unmarshal(message, &m); err != nil {
		return err.Error()
	}
	if m.Subtype != "" {
		m.Type += "/" + m.Subtype
	}
	if m.Result != "" {
		m.Type += " " + sentence(m.Result)
	}
	return m.Type
}

func sentence(text string) string {
	if i := strings.Index(text, ". "); i >= 0 {
		return text[:i+1]
	}
	return text
}

func TestTheOutputHasTheFormatThatIsAskedFor(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel() // some wait for an input that does not come
			s, err := script.Parse("format", []byte(formatScript))
			if err != nil {
				t.Fatal(err)
			}
			model, err := script.NewModel(s)
			if err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			in, write := io.Pipe()
			go func() { // ends with the test
				_, _ = io.WriteString(write, f.in) // a CLI may end before it reads it
				if !f.open {
					_ = write.Close() // cannot fail
				}
			}()
			defer in.Close()
			dir := t.TempDir()
			cli := sim.New(sim.Config{
				Args: strings.Fields(f.args), Dir: dir, Env: []string{"HOME=" + dir, "TMPDIR=" + dir},
				Stdin: in, Stdout: &stdout, Stderr: &stderr, Model: model,
			})
			code := cli.Run(t.Context())
			if got := shape(stdout.Bytes()); got != f.want || code != f.code {
				t.Errorf("%s\nexit code %d, want %d; got %s\nwant %s", f.args, code, f.code, got, f.want)
			}
			if !strings.Contains(stderr.String(), f.err) || f.err == "" && stderr.Len() > 0 {
				t.Errorf("%s: stderr is %q, want %q", f.args, stderr.String(), f.err)
			}
		})
	}
}
