package template

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/gztext"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/sim/release"
)

var update = flag.Bool("update", false, "write answers.json.gz and older.json.gz")

// fixed are the requests that are always answered alike, in the places where the simulated CLI
// runs: without a terminal, a browser, a login, or a service that hosts the session.
var fixed = strings.Fields(`
	add_directory claude_authenticate claude_oauth_callback claude_oauth_wait_for_completion
	fork_conversation get_binary_version get_chrome_browsers get_chrome_dialog get_cloud_session
	get_cloud_session_transcript get_context_usage get_hooks_listing get_memory_dialog get_plan get_sandbox_dialog
	get_settings get_status get_usage list_cloud_sessions list_models mcp_tasks_changed message_rated poll_event
	prefetch_attachments prompt_draft_activity register_device_hooks reload_output_styles remote_tools_announce
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

// recorded reads the recordings: the first reply to each subtype, and the lists of each session.
func recorded(t *testing.T, version string) (answers object.Object, lists map[string][][]any) {
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
	return answers, sequences
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

// namesOf are the lists whose elements system/init names.
var namesOf = map[string]string{"init.slash_commands": "commands", "init.agents": "agents"}

// ownNames are lists in which a session's own elements cannot be told from those that are built in.
var ownNames = []string{"init.slash_commands", "init.agents", "init.skills", "available_output_styles"}

// builtInList returns a list of what is built in, as system/init or a reply has it.
func builtInList(name string) []any {
	elements, ok := namesOf[name]
	if !ok {
		return List(release.Newest(), name)
	}
	var names []any
	for _, v := range List(release.Newest(), elements) {
		names = append(names, v.(object.Object).Get("name"))
	}
	return names
}

func TestTemplatesAreWhatTheRecordingsHave(t *testing.T) {
	answers, lists := recorded(t, corpus.Newest())
	for name, v := range map[string]any{"answers.json.gz": answers, "older.json.gz": olderThan(t, answers, lists)} {
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
			packed, err := gztext.Pack(want.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, packed, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		packed, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := gztext.Read(packed)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want.String(), string(got)); diff != "" {
			t.Errorf("%s is not what the recordings have; run go test -update: %s", name, diff)
		}
	}
	for name, recorded := range lists {
		all := builtInList(name)
		for _, list := range recorded {
			after := -1
			for _, v := range list {
				i := slices.IndexFunc(all, func(e any) bool { return object.Text(e) == object.Text(v) })
				switch {
				case i < 0 && builtIn(v) && !slices.Contains(ownNames, name):
					t.Errorf("%s: %s is recorded, and is not in lists.json", name, object.Text(v))
				case i < 0:
					continue
				case i <= after:
					t.Errorf("%s: %s is recorded in another place", name, object.Text(v))
				}
				after = i
			}
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
