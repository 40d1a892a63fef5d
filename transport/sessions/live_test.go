//go:build live

package sessions_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/transport"
	"github.com/ccwire/ccwire/transport/sessions"
)

// furnish makes sessions of many kinds and returns their ids by what they are.
func (h *house) furnish(t *testing.T) map[string]string {
	t.Helper()
	git(t, h.Cwd, "init", "--quiet", "--initial-branch", "trunk")
	git(t, h.Cwd, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--allow-empty", "--message", "first")
	tree := filepath.Join(h.Root, "tree")
	git(t, h.Cwd, "worktree", "add", "--quiet", tree)
	long := filepath.Join(h.Root, strings.Repeat("long-", 20), strings.Repeat("path_", 30), "ünter 𝔘")
	if err := os.MkdirAll(long, 0o700); err != nil {
		t.Fatal(err)
	}
	text := func(texts ...string) (turns []fakeapi.Turn) {
		for _, s := range texts {
			turns = append(turns, fakeapi.Turn{Text: s})
		}
		return turns
	}
	read := func(name string) fakeapi.Block {
		return fakeapi.ToolUse("Read", `{"file_path":"`+filepath.Join(h.Cwd, name)+`"}`)
	}
	ids := map[string]string{}
	ids["talk"] = h.run(t, h.Cwd, text("One.", "Two.", "Three."), transport.Flags{}, say(t, "first "+strings.Repeat("word ", 60), "second", "third"))
	ids["parallel"] = h.run(t, h.Cwd, []fakeapi.Turn{
		{Content: []fakeapi.Block{fakeapi.Text("Looking."), read("a.txt"), read("b.txt"), read("c.txt")}}, {Text: "Read."}, {Text: "Done."},
	}, transport.Flags{}, say(t, "read them", "and now"))
	ids["subagent"] = h.run(t, h.Cwd, []fakeapi.Turn{
		{Content: []fakeapi.Block{fakeapi.ToolUse("Task", `{"description":"small job","prompt":"the small job","subagent_type":"general-purpose"}`)}},
		{Match: &fakeapi.Match{From: fakeapi.Subagent, Prompt: "the small job"}, Text: "Sub done."},
		{Text: "Done."}, {Text: "More."},
	}, transport.Flags{}, say(t, "let another do it", "well"))
	ids["compacted"] = h.run(t, tree, text("One.", "<summary>It was little.</summary>", "Two."), transport.Flags{}, say(t, "remember this", "/compact", "go on"))
	ids["queued"] = h.run(t, h.Cwd, []fakeapi.Turn{
		{Content: []fakeapi.Block{fakeapi.ToolUse("Bash", `{"command":"sleep 2","description":"wait"}`)}}, {Text: "Waited."}, {Text: "More.", Times: -1},
	}, transport.Flags{}, queue(t))
	ids["long"] = h.run(t, long, text("One."), transport.Flags{Name: "a long way"}, say(t, "far away"))
	ids["resumed"] = h.run(t, h.Cwd, text("Four."), transport.Flags{Resume: ids["talk"], ForkSession: true}, say(t, "fourth"))
	var at string
	store := sessions.At(h.Config)
	s, err := store.Find(t.Context(), ids["parallel"], "")
	if err != nil {
		t.Fatal(err)
	}
	for m, err := range s.Messages(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(m.Message), "Read.") {
			at = m.UUID
		}
	}
	h.run(t, h.Cwd, text("Otherwise."), transport.Flags{Resume: ids["parallel"], ResumeSessionAt: at}, say(t, "once more"))
	if s, err = store.Find(t.Context(), ids["talk"], h.Cwd); err != nil {
		t.Fatal(err)
	}
	// The CLI was killed in the middle of a line.
	f, err := os.OpenFile(s.Path(), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"type":"user","uuid":"8`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	h.age(t)
	return ids
}

// age gives the transcripts times that are a second apart, so that nothing depends on how a time is
// rounded.
func (h *house) age(t *testing.T) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(h.Config, "projects", "*", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	for _, f := range files {
		at = at.Add(time.Second)
		if err := os.Chtimes(f, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "git", args...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// TestLiveSessionsAreThoseOfTheSDKs has both official SDKs and this package read and change the
// sessions of a real CLI.
func TestLiveSessionsAreThoseOfTheSDKs(t *testing.T) {
	h := newHouse(t)
	ids := h.furnish(t)
	var asks []ask
	for _, dir := range []string{"", h.Cwd, filepath.Join(h.Root, "tree"), h.Home} {
		asks = append(asks, ask{Op: "list", Dir: dir}, ask{Op: "list", Dir: dir, NoWorktrees: true}, ask{Op: "list", Dir: dir, Limit: 2, Skip: 1})
	}
	both := asks // what the Python SDK has, too
	asks = append(asks, ask{Op: "list", Interactive: true})
	names := map[string]string{}
	for name, id := range ids {
		names[id] = name
		one := []ask{{Op: "info", ID: id}, {Op: "messages", ID: id}, {Op: "messages", ID: id, Limit: 2, Skip: 1}, {Op: "subagents", ID: id}}
		for _, agent := range ours(t, h.Config, ask{Op: "subagents", ID: id})[0].([]any) {
			one = append(one, ask{Op: "subagent", ID: id, Agent: agent.(string)})
		}
		asks = append(append(asks, one...), ask{Op: "messages", ID: id, System: true})
		both = append(both, one...)
	}
	for _, o := range oracles(t) {
		asks := asks
		if o.name == "python" {
			asks = both
		}
		t.Run(o.name, func(t *testing.T) {
			got := ours(t, h.Config, asks...)
			for i, want := range o.ask(t, h.Config, asks...) {
				if o.name == "python" && names[asks[i].ID] == "queued" && asks[i].Op == "messages" {
					continue // prompts that came while the model was at work are not there
				}
				if diff := cmp.Diff(want, got[i]); diff != "" {
					t.Errorf("%s: %+v: -%s +ours\n%s", names[asks[i].ID], asks[i], o.name, diff)
				}
			}
		})
		t.Run("changes of "+o.name, func(t *testing.T) { h.change(t, o, ids) })
	}
}

// change has an SDK and this package change copies of the sessions, and compares the files.
func (h *house) change(t *testing.T, o *oracle, ids map[string]string) {
	var asks []ask
	for _, name := range []string{"talk", "parallel", "compacted", "queued", "subagent"} {
		id := ids[name]
		messages := ours(t, h.Config, ask{Op: "messages", ID: id})[0].([]any)
		upTo := messages[len(messages)/2].(map[string]any)["uuid"].(string)
		asks = append(asks, ask{Op: "rename", ID: id, Text: "  a title “of” ours\t"}, ask{Op: "fork", ID: id},
			ask{Op: "tag", ID: id, Text: "a\u200btag "}, ask{Op: "fork", ID: id, UpTo: upTo, Text: "part"})
	}
	asks = append(asks, ask{Op: "tag", ID: ids["talk"]}, ask{Op: "delete", ID: ids["subagent"]}, ask{Op: "delete", ID: ids["long"]})
	theirs, mine := filepath.Join(t.TempDir(), "config"), filepath.Join(t.TempDir(), "config")
	for _, dir := range []string{theirs, mine} {
		if err := os.CopyFS(dir, os.DirFS(h.Config)); err != nil {
			t.Fatal(err)
		}
	}
	want := files(t, theirs, o.ask(t, theirs, asks...))
	got := files(t, mine, ours(t, mine, asks...))
	if o.name == "python" {
		less(want)
		less(got)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-%s +ours\n%s", o.name, diff)
	}
}

// files returns the entries of all files below a config folder, with a name for each new id and
// for each time after the start of the test.
func files(t *testing.T, config string, answers []any) map[string][]any {
	t.Helper()
	names := map[string]string{}
	for i, a := range answers {
		if id, ok := a.(string); ok {
			names[id] = "fork " + string(rune('A'+i))
		}
	}
	all := map[string][]any{}
	root := filepath.Join(config, "projects")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		id := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		isFork := names[id] != ""
		if isFork {
			name = filepath.Join(filepath.Dir(name), names[id])
		}
		seen := map[string]string{}
		for line := range strings.Lines(string(data)) {
			var v any
			if json.Unmarshal([]byte(line), &v) != nil {
				// Half a line, alone or with an entry after it.
				_, rest, _ := strings.Cut(line[1:], "{")
				if json.Unmarshal([]byte("{"+rest), &v) != nil {
					continue
				}
			}
			if isFork {
				v = normal(v, names, seen)
			}
			all[name] = append(all[name], v)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// normal gives names to the ids of a fork, in the order in which they come.
func normal(v any, names, seen map[string]string) any {
	o, ok := v.(map[string]any)
	if !ok {
		return v
	}
	name := func(id string) string {
		if names[id] != "" {
			return names[id]
		}
		if seen[id] == "" {
			seen[id] = "id " + string(rune('A'+len(seen)))
		}
		return seen[id]
	}
	delete(o, "timestamp")
	for _, member := range []string{"uuid", "parentUuid", "logicalParentUuid", "sessionId"} {
		switch id := o[member].(type) {
		case string:
			o[member] = name(id)
		case nil:
			delete(o, member) // null and absent are the same
		}
	}
	return o
}

// less takes away what the TypeScript SDK and this package do in a fork and the Python SDK does
// not.
func less(files map[string][]any) {
	for name, entries := range files {
		if !strings.Contains(name, "fork") {
			continue
		}
		files[name] = slices.DeleteFunc(entries, func(v any) bool {
			kind := v.(map[string]any)["type"]
			return kind == "atis-latch" || kind == "tools-used"
		})
		for _, v := range files[name] {
			delete(v.(map[string]any), "turnAttributionKey")
			if attachment, ok := v.(map[string]any)["attachment"].(map[string]any); ok {
				delete(attachment, "nameOnlyAnnouncements")
			}
		}
	}
}
