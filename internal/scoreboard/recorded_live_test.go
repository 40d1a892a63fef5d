//go:build live

package scoreboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/sandbox"
)

// recordedTurns is what the model says in the session that is recorded: a thought, tools in
// parallel, a tool of the SDK, one that is refused, a subagent, an error that passes, one that ends
// the turn.
const recordedTurns = `{"turns": [
	{"content": [
		{"type": "thinking", "thinking": "Let me see.", "signature": "c2ln"},
		{"type": "text", "text": "First the files of {{text}}."},
		{"type": "tool_use", "name": "Bash", "input": {"command": "echo $((6 * 7)); ls"}},
		{"type": "tool_use", "name": "Read", "input": {"file_path": "CWD/notes.txt"}}
	], "usage": {"input_tokens": 1200, "output_tokens": 70, "cache_read_input_tokens": 300}},
	{"content": [{"type": "tool_use", "name": "mcp__srv__echo", "input": {"text": "hi"}}]},
	{"content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "CWD/a.txt", "content": "hi from CWD"}}]},
	{"content": [{"type": "tool_use", "name": "Read", "input": {"file_path": "CWD/a.txt"}}]},
	{"content": [{"type": "tool_use", "name": "WebFetch", "input": {"url": "https://a.example/", "prompt": "what"}}]},
	{"content": [{"type": "tool_use", "name": "Agent", "input": {"description": "small job", "prompt": "the small job", "subagent_type": "helper", "run_in_background": false}}]},
	{"match": {"from": "subagent"}, "content": [{"type": "tool_use", "name": "Bash", "input": {"command": "echo from the subagent"}}], "usage": {"output_tokens": 40}},
	{"match": {"from": "subagent"}, "text": "The job is done.", "usage": {"output_tokens": 11}},
	{"text": "All used.", "pace": {"before": "300ms", "chunk": 4}, "usage": {"output_tokens": 9}},
	{"error": {"status": 529, "message": "busy"}},
	{"text": "Back again.", "stop_reason": "end_turn", "usage": {"input_tokens": 77, "output_tokens": 3}},
	{"error": {"status": 403, "message": "no access"}, "times": -1}
]}`

func TestLiveRecordedSessionsArePlayedAgain(t *testing.T) {
	real, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "protogen")
	if out, err := exec.Command("go", "build", "-o", bin, "github.com/ccwire/ccwire/cmd/protogen").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	programs := map[string][]string{"typescript": {"node", "recorded.mjs"}, "python": {"bin/python", "recorded.py"}}
	for _, d := range drivers {
		t.Run(d.name, func(t *testing.T) {
			r := recorder{dir: d.installed(t), protogen: bin, program: programs[d.name]}
			if filepath.Base(r.program[0]) != r.program[0] {
				r.program[0] = filepath.Join(r.dir, r.program[0])
			}
			script := filepath.Join(t.TempDir(), "script.json")
			record := append([]string{bin, "sim", "record", "--cli", real, "--out", script, "--"}, r.program...)
			seen, code, out := r.run(t, recordedTurns, "", record...)
			if code != 0 {
				t.Fatalf("exit code %d\n%s", code, out)
			}
			text, err := os.ReadFile(script)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, []byte(os.TempDir()+"/")) {
				t.Errorf("the script has folders of this machine:\n%s", text)
			}
			claude, err := exec.Command(bin, "sim", "install", t.TempDir(), "--script", script, "--strict").Output()
			if err != nil {
				t.Fatal(err)
			}
			again, code, out := r.run(t, "{}", strings.TrimSpace(string(claude)), r.program...)
			if diff := cmp.Diff(seen, again); diff != "" || code != 0 {
				t.Errorf("exit code %d, -recorded +played\n%s%s\n%s", code, diff, out, text)
			}

			refresh := []string{bin, "sim", "record", "--cli", real, "--refresh", script}
			if _, code, out := r.run(t, recordedTurns, "", refresh...); code != 0 || !strings.Contains(out, "says what it said before") {
				t.Errorf("nothing has changed: exit code %d\n%s", code, out)
			}
			other := strings.Replace(recordedTurns, "Back again.", "Here I am.", 1)
			if _, code, out := r.run(t, other, "", refresh...); code != 1 || !strings.Contains(out, "- model: Back again.\n+ model: Here I am.") {
				t.Errorf("an answer has changed: exit code %d\n%s", code, out)
			}
		})
	}
}

// recorder runs the program whose session is recorded.
type recorder struct {
	dir, protogen string
	program       []string
}

// run runs a command in a scratch folder with a model, and returns what the SDK has shown, without
// what is different in each session.
func (r *recorder) run(t *testing.T, turns, cli string, command ...string) (seen []map[string]any, code int, output string) {
	t.Helper()
	scratch, err := sandbox.NewScratch(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer scratch.Remove()
	if err := os.WriteFile(filepath.Join(scratch.Cwd, "notes.txt"), []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	script, err := fakeapi.ParseScript([]byte(strings.ReplaceAll(turns, "CWD", scratch.Cwd)))
	if err != nil {
		t.Fatal(err)
	}
	api, err := fakeapi.Start(t.Context(), script)
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	out := filepath.Join(t.TempDir(), "seen")
	env := map[string]string{"CLAUDE_CODE_ENTRYPOINT": "", "RECORDED_CWD": scratch.Cwd, "RECORDED_OUT": out}
	if cli != "" {
		env["CLAUDE_CLI"] = cli
	}
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir, cmd.Env = r.dir, scratch.Env(api.URL(), env)
	text, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return messages(t, out, scratch.Root), cmd.ProcessState.ExitCode(), string(text)
}

// Texts that are different in each session.
var (
	randomID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|(toolu|msg|req)_[a-zA-Z0-9_]+|\ba[0-9a-f]{16}\b|\b0[a-z0-9]{8}-[0-9a-f]{8}\b|cc-socks/\d+`)
	moment   = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`)
)

// messages reads what an SDK has shown.
func messages(t *testing.T, name, root string) (seen []map[string]any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	text := strings.ReplaceAll(string(data), root, "/scratch")
	text = strings.ReplaceAll(text, strings.ReplaceAll(root, "/", "-"), "-scratch")
	text = moment.ReplaceAllString(randomID.ReplaceAllString(text, "ID"), "TIME")
	for line := range strings.Lines(text) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, settled(m).(map[string]any))
	}
	sortResults(seen)
	// What is streamed, and what is done meanwhile, have each an order of their own.
	slices.SortStableFunc(seen, func(a, b map[string]any) int {
		streamed := func(m map[string]any) int { return strings.Count(fmt.Sprint(m["type"]), "stream_event") }
		return streamed(a) - streamed(b)
	})
	return seen
}

// sortResults brings the results of tools that were used at the same time, and the hooks that see
// them, into an order: they come as they end.
func sortResults(seen []map[string]any) {
	text := func(m map[string]any) string { data, _ := json.Marshal(m); return string(data) }
	after := func(m map[string]any) bool {
		return m["hook"] != nil || strings.Contains(text(m), "tool_result") || m["class"] == "UserMessage"
	}
	for i := 0; i < len(seen); i++ {
		j := i
		for j < len(seen) && after(seen[j]) {
			j++
		}
		slices.SortFunc(seen[i:j], func(a, b map[string]any) int { return strings.Compare(text(a), text(b)) })
		i = j
	}
}

// settled returns a value without numbers that are times, and without the sentences of a subagent's
// result that are for the model.
func settled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Collect(maps.Keys(v)) {
			lower := strings.ToLower(name)
			if _, isNumber := v[name].(float64); isNumber && (strings.Contains(lower, "duration") || strings.HasSuffix(lower, "_ms") || strings.HasSuffix(lower, "ms") || strings.HasSuffix(lower, "_time")) {
				v[name] = "TIME"
				continue
			}
			v[name] = settled(v[name])
		}
	case []any:
		for i := range v {
			v[i] = settled(v[i])
		}
	}
	return v
}
