package template

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/sim/release"
)

var update = flag.Bool("update", false, "write answers.json, lists.json and older.json")

// fixed are the requests that are always answered alike, in the places where the simulated CLI
// runs: without a terminal, a browser, a login, or a service that hosts the session.
var fixed = strings.Fields(`
	add_directory claude_authenticate claude_oauth_callback claude_oauth_wait_for_completion
	fork_conversation get_binary_version get_chrome_browsers get_chrome_dialog get_cloud_session
	get_cloud_session_transcript get_context_usage get_hooks_listing get_memory_dialog get_plan get_sandbox_dialog
	get_settings get_status get_usage list_cloud_sessions list_models mcp_tasks_changed message_rated poll_event
	prefetch_attachments register_device_hooks reload_output_styles remote_tools_announce
	seed_read_state select_chrome_browser set_attached_project set_chrome_browser_hints set_has_subscribers
	set_prompt_suggestions_paused stage_file submit_feedback submit_survey_feedback turn_handoff
	ui_client_fault ui_client_press ui_close ui_focus ui_input ui_message ui_pane_focus ui_pane_show
	ui_panes ui_press ui_prompt_autocomplete ui_scroll ui_select ultrareview_launch upload_device_hook_template`)

// line is a line of a session, as far as templates are concerned.
type line struct {
	Type      string
	Subtype   string
	RequestID string `json:"request_id"`
	Request   struct {
		Subtype string
	}
	Response object.Object
}

// recorded reads the recordings: the first reply to each subtype, and the lists, an element once,
// in an order that all recordings agree with.
func recorded(t *testing.T, version string) (answers object.Object, lists map[string][]any) {
	t.Helper()
	files, err := corpus.FS(version)
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(files, "*/*.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	replies := map[string]object.Object{}
	sequences := map[string][][]any{}
	for _, name := range names {
		entries, err := corpus.Read(version, strings.TrimSuffix(name, ".ndjson"))
		if err != nil {
			t.Fatal(err)
		}
		session, err := recording.Lines(entries)
		if err != nil {
			t.Fatal(err)
		}
		asked := map[string]string{}
		for _, l := range session {
			var m line
			if json.Unmarshal(l.Text, &m) != nil {
				continue
			}
			switch {
			case l.Dir == recording.ToCLI && m.Type == "control_request":
				asked[m.RequestID] = m.Request.Subtype
			case l.Dir == recording.ToSDK && m.Type == "control_response":
				subtype := asked[m.Response.Text("request_id")]
				if replies[subtype] == nil {
					replies[subtype] = m.Response.Without("request_id")
				}
				if body := m.Response.Object("response"); subtype == "initialize" && body.Has("commands") {
					for _, name := range []string{"commands", "agents", "models", "available_output_styles", "capabilities"} {
						if body.Has(name) {
							sequences[name] = append(sequences[name], body.List(name))
						}
					}
				}
			case l.Dir == recording.ToSDK && m.Type == "system" && m.Subtype == "init":
				v, err := object.Parse(l.Text)
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range []string{"tools", "slash_commands", "terminal_slash_commands", "agents", "skills", "plugins", "capabilities"} {
					if o := v.(object.Object); o.Has(name) {
						sequences["init."+name] = append(sequences["init."+name], o.List(name))
					}
				}
			}
		}
	}
	for _, subtype := range fixed {
		if replies[subtype] == nil {
			if version == corpus.Newest() {
				t.Errorf("no recording has a reply to %s", subtype)
			}
			continue
		}
		answers = append(answers, object.Member{Name: subtype, Value: replies[subtype]})
	}
	lists = map[string][]any{}
	for name, list := range sequences {
		lists[name] = merged(list, common(list))
	}
	if all := sequences["models"]; version != corpus.Newest() && len(all) > 0 {
		lists["models"] = most(all)
	}
	// What a command or an agent of a session is called is not known here: texts are built in if an
	// element of the reply to initialize is.
	for texts, elements := range map[string]string{"init.slash_commands": "commands", "init.skills": "commands", "init.agents": "agents"} {
		if lists[elements] == nil { // the reply does not list them
			lists[texts] = slices.DeleteFunc(lists[texts], func(v any) bool { return rare(sequences[texts], v) })
			continue
		}
		lists[texts] = slices.DeleteFunc(lists[texts], func(v any) bool {
			return !slices.ContainsFunc(lists[elements], func(e any) bool { return e.(object.Object).Get("name") == v })
		})
	}
	return answers, lists
}

// builtIn reports whether an element of a list is in every session.
func builtIn(v any) bool {
	switch v := v.(type) {
	case string:
		// Tools of MCP servers, and those that other things in the session bring with them.
		return !strings.HasPrefix(v, "mcp__") && !slices.Contains([]string{"StructuredOutput", "ListMcpResourcesTool", "ReadMcpResourceTool"}, v)
	case object.Object:
		switch {
		case v.Has("source"): // a plugin
			return v.Text("path") == "builtin"
		case v.Has("value"): // a model; others are there because the session has it
			return v.Text("value") == "default" && v.Text("resolvedModel") == "claude-opus-5-5" || v.Text("value") == "sonnet"
		}
		return v.Text("description") == "[prose]" || v.Bool("builtin") && !strings.HasSuffix(v.Text("description"), "[prose]")
	}
	return false
}

// many is how many sessions have what is built in, at least.
const many = 5

// rare reports whether only few lists have a text.
func rare(all [][]any, v any) bool {
	n := 0
	for _, list := range all {
		if slices.Contains(list, v) {
			n++
		}
	}
	return n < many
}

// common returns the commands that many sessions have: older versions do not say which of them are
// built in.
func common(all [][]any) map[string]bool {
	count, found := map[string]int{}, map[string]bool{}
	for _, list := range all {
		for _, v := range list {
			if o, ok := v.(object.Object); ok && o.Has("argumentHint") && !o.Has("builtin") {
				text := object.Text(v)
				count[text]++
				found[text] = count[text] >= many
			}
		}
	}
	return found
}

// merged returns the elements of all lists that are built in or common, each after those that come
// before it in any of them.
func merged(all [][]any, common map[string]bool) []any {
	after := map[string]map[string]bool{} // what an element comes after
	values := map[string]any{}
	var names []string
	for _, list := range all {
		var before []string
		for _, v := range list {
			name := object.Text(v)
			if !builtIn(v) && !common[name] {
				continue
			}
			if values[name] == nil {
				values[name], after[name] = v, map[string]bool{}
				names = append(names, name)
			}
			for _, b := range before {
				after[name][b] = true
			}
			before = append(before, name)
		}
	}
	slices.Sort(names)
	var out []any
	for len(names) > 0 {
		i := max(0, slices.IndexFunc(names, func(name string) bool {
			return !slices.ContainsFunc(names, func(other string) bool { return after[name][other] })
		}))
		out = append(out, values[names[i]])
		names = slices.Delete(names, i, i+1)
	}
	return out
}

// most returns the list that comes most often.
func most(all [][]any) (list []any) {
	count := map[string]int{}
	best := 0
	for _, l := range all {
		text := object.Text(l)
		if count[text]++; count[text] > best {
			best, list = count[text], l
		}
	}
	return list
}

// olderThan returns what older versions have otherwise than the next newer one.
func olderThan(t *testing.T, answers object.Object, lists map[string][]any) map[string]memory {
	t.Helper()
	older := map[string]memory{}
	texts := map[string]string{} // of what newer versions have
	for _, m := range answers {
		texts["answer "+m.Name] = object.Text(m.Value)
	}
	for name, list := range lists {
		texts["list "+name] = object.Text(list)
	}
	versions := corpus.Versions()
	for _, version := range slices.Backward(versions[:len(versions)-1]) {
		m := memory{Lists: object.Object{}}
		answers, lists := recorded(t, version)
		for _, a := range answers {
			if text := object.Text(a.Value); text != texts["answer "+a.Name] {
				texts["answer "+a.Name] = text
				m.Answers = append(m.Answers, a)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(lists)) {
			if text := object.Text(lists[name]); text != texts["list "+name] {
				texts["list "+name] = text
				m.Lists = append(m.Lists, object.Member{Name: name, Value: append([]any{}, lists[name]...)})
			}
		}
		older[version] = m
	}
	return older
}

func TestTemplatesAreWhatTheRecordingsHave(t *testing.T) {
	answers, lists := recorded(t, corpus.Newest())
	for name, v := range map[string]any{"answers.json": answers, "lists.json": lists, "older.json": olderThan(t, answers, lists)} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := json.Indent(&want, text, "", "\t"); err != nil {
			t.Fatal(err)
		}
		want.WriteByte('\n')
		if *update {
			if err := os.WriteFile(name, want.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.String(), string(got)); diff != "" {
			t.Errorf("%s is not what the recordings have; run go test -update: %s", name, diff)
		}
	}
}

func TestAnswersAreOfTheSession(t *testing.T) {
	s := Session{Cwd: "/project/a.b", Config: "/cfg", Home: "/home/a", Tmp: "/tmp/x", Version: "9.9.9"}
	reply, ok := Answer(release.Newest(), "get_memory_dialog", s)
	if text := object.Text(reply); !ok || strings.Contains(text, "scratch") || !strings.Contains(text, `"/cfg/projects/-project-a-b/memory/"`) {
		t.Errorf("get_memory_dialog: %s", text)
	}
	if reply, _ := Answer(release.Newest(), "get_binary_version", s); reply.Object("response").Text("version") != "9.9.9" {
		t.Errorf("get_binary_version: %s", object.Text(reply))
	}
	if reply, _ := Answer(release.Newest(), "get_chrome_browsers", s); reply.Text("subtype") != "error" || reply.Text("error") == "" {
		t.Errorf("get_chrome_browsers: %s", object.Text(reply))
	}
	if _, ok := Answer(release.Newest(), "can_use_tool", s); ok {
		t.Error("there is an answer to can_use_tool")
	}
}

func TestListsHaveWhatIsBuiltIn(t *testing.T) {
	if tools := Texts(release.Newest(), "init.tools"); tools[0] != "Task" || !slices.Contains(tools, "Bash") || slices.ContainsFunc(tools, func(s string) bool { return strings.HasPrefix(s, "mcp__") }) {
		t.Errorf("the tools are %s", tools)
	}
	commands := List(release.Newest(), "commands")
	commands[0] = nil // a copy
	if first := List(release.Newest(), "commands")[0].(object.Object); first.Text("name") != "deep-research" {
		t.Errorf("the first command is %v", first)
	}
}
