package wire_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

// A toolUse is the input or the result of a tool in a recorded line.
type toolUse struct {
	at, tool string
	raw      wire.Raw
	typed    wire.Appender
	result   bool
}

// recordedTools returns all inputs and results of tools in the recordings.
func recordedTools(t *testing.T) (all []toolUse) {
	t.Helper()
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		names := map[string]string{} // of tools, by the id of the call
		for _, l := range s.Lines {
			frame, err := wire.Decode(l.Text)
			if err != nil {
				continue
			}
			if _, ok := frame.(*wire.StreamEvent); ok {
				continue // the input of a block that begins is empty
			}
			at := s.At(&l)
			eachPointer(reflect.ValueOf(frame), func(v any) {
				if b, ok := v.(*wire.ToolUseBlock); ok {
					names[b.ID] = b.Name
				}
				if v, ok := v.(interface{ TypedInput() wire.ToolInput }); ok {
					name, raw := toolMember(v, "ToolInput", "Input")
					all = append(all, toolUse{at, name, raw, v.TypedInput(), false})
				}
				if v, ok := v.(interface{ TypedResult() wire.ToolResult }); ok {
					name, raw := toolMember(v, "ToolResponse")
					all = append(all, toolUse{at, name, raw, v.TypedResult(), true})
				}
			})
			if u, ok := frame.(*wire.User); ok && u.ToolUseResult != nil {
				eachPointer(reflect.ValueOf(u), func(v any) {
					if b, ok := v.(*wire.ToolResultBlock); ok {
						name := names[b.ToolUseID]
						all = append(all, toolUse{at, name, u.ToolUseResult, wire.DecodeToolResult(name, u.ToolUseResult), true})
					}
				})
			}
		}
	}
	return all
}

// toolMember returns the name of the tool and the first of the members that v has.
func toolMember(v any, members ...string) (name string, raw wire.Raw) {
	s := reflect.ValueOf(v).Elem()
	for _, m := range members {
		if f := s.FieldByName(m); f.IsValid() {
			raw = f.Interface().(wire.Raw)
			break
		}
	}
	if f := s.FieldByName("ToolName"); f.IsValid() {
		return f.String(), raw
	}
	return s.FieldByName("Name").String(), raw
}

// eachPointer calls f with a pointer to each struct below v.
func eachPointer(v reflect.Value, f func(any)) {
	switch v.Kind() {
	case reflect.Interface:
		eachPointer(v.Elem(), f)
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return
		}
		f(v.Interface())
		for i := range v.Elem().NumField() {
			if field := v.Elem().Field(i); field.CanInterface() {
				eachPointer(field, f)
			}
		}
	case reflect.Struct:
		if v.CanAddr() {
			eachPointer(v.Addr(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachPointer(v.Index(i), f)
		}
	}
}

// unfit are inputs that no tool takes: an SDK sends this one in a request that is the CLI's.
var unfit = map[string]bool{`Write {}`: true}

func TestRecordedToolsFitTheirTypes(t *testing.T) {
	seen, known := map[string]bool{}, map[string]bool{}
	for _, u := range recordedTools(t) {
		key := fmt.Sprintf("%v %s %s", u.result, u.tool, u.raw)
		if seen[key] || unfit[u.tool+" "+string(u.raw)] {
			continue
		}
		seen[key] = true
		tool := schema.Default().Tool(u.tool)
		switch v := u.typed.(type) {
		case *wire.UnknownToolInput:
			if v.Err != nil || tool != nil && tool.Input != nil {
				t.Errorf("%s: %s %s: %v", u.at, u.tool, u.raw, v.Err)
			}
			continue
		case *wire.UnknownToolResult:
			if v.Err != nil || tool != nil && tool.Result != nil {
				t.Errorf("%s: %s %s: %v", u.at, u.tool, u.raw, v.Err)
			}
			continue
		case *wire.ToolText:
			continue
		}
		def := tool.Input
		if u.result {
			def = tool.Result
		}
		known[def.Name()] = true
		if _, err := definition(t, def.Name()).Decode(u.raw, strict()); err != nil {
			t.Errorf("%s: %s: %v\n%s", u.at, def.Name(), err, u.raw)
		}
		out, err := u.typed.AppendJSON(nil)
		if err != nil {
			t.Errorf("%s: %s: %v", u.at, def.Name(), err)
		}
		checkLossless(t, definition(t, def.Name()), u.raw, out, u.typed)
	}
	if len(known) < 20 {
		t.Errorf("the recordings show %d types of tools only", len(known))
	}
}

func TestToolsAreKnownByAllTheirNames(t *testing.T) {
	for _, name := range []string{"Agent", "Task"} {
		in := wire.DecodeToolInput(name, wire.Raw(`{"description":"d","prompt":"p"}`))
		if a, ok := in.(*wire.AgentInput); !ok || a.Prompt != "p" {
			t.Errorf("%s: %#v", name, in)
		}
	}
	for _, name := range []string{"TaskStop", "KillShell", "KillBash"} {
		in := wire.DecodeToolInput(name, wire.Raw(`{"shell_id":"b1"}`))
		if s, ok := in.(*wire.TaskStopInput); !ok || *s.ShellID != "b1" {
			t.Errorf("%s: %#v", name, in)
		}
	}
}

func TestToolsThatDoNotFitAreKeptRaw(t *testing.T) {
	for _, tt := range []struct {
		name, tool, raw string
		broken          bool
	}{
		{"a tool of an MCP server", "mcp__srv__echo", `{"text":"hi"}`, false},
		{"a tool of a newer CLI", "Teleport", `[1]`, false},
		{"no command", "Bash", `{"description":"d"}`, true},
		{"a command that is a list", "Bash", `{"command":["rm","-rf","/"]}`, true},
		{"two commands", "Bash", `{"command":"ls","command":"rm -rf /"}`, true},
		{"no object", "Bash", `7`, true},
		{"nothing", "Bash", ``, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, ok := wire.DecodeToolInput(tt.tool, wire.Raw(tt.raw)).(*wire.UnknownToolInput)
			if !ok || in.Name != tt.tool || string(in.Raw) != tt.raw || (in.Err != nil) != tt.broken {
				t.Errorf("the input is %+v", in)
			}
			out, ok := wire.DecodeToolResult(tt.tool, wire.Raw(tt.raw)).(*wire.UnknownToolResult)
			if !ok || out.Name != tt.tool || string(out.Raw) != tt.raw || (out.Err != nil) != tt.broken {
				t.Errorf("the result is %+v", out)
			}
		})
	}
}

func TestTextInPlaceOfAResultIsAText(t *testing.T) {
	for _, tool := range []string{"Bash", "mcp__srv__echo"} {
		v := wire.DecodeToolResult(tool, wire.Raw(`"Error: Exit code 3"`))
		if diff := cmp.Diff(wire.ToolResult(&wire.ToolText{Text: "Error: Exit code 3"}), v); diff != "" {
			t.Errorf("%s: %s", tool, diff)
		}
		if out, err := v.AppendJSON(nil); err != nil || string(out) != `"Error: Exit code 3"` {
			t.Errorf("%s: %s, %v", tool, out, err)
		}
	}
}

func TestAllowWithSendsAChangedInputAndKeepsUnknownMembers(t *testing.T) {
	r := &wire.CanUseToolRequest{ToolName: "Bash", Input: wire.Raw(`{"command":"make","novel":[1, 2]}`)}
	in := r.TypedInput().(*wire.BashInput)
	in.Command = "make -n"
	allow, err := r.AllowWith(in)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"command":"make -n","novel":[1, 2]}`; string(allow.UpdatedInput) != want {
		t.Errorf("got %s, want %s", allow.UpdatedInput, want)
	}
	if string(r.Input) != `{"command":"make","novel":[1, 2]}` {
		t.Errorf("the request has changed: %s", r.Input)
	}
	if _, err := r.AllowWith(nil); err == nil {
		t.Error("nothing is an input")
	}
}

func TestMCPServersOfNoTypeAndOfAnUnknownOneAreKept(t *testing.T) {
	text := wire.Raw(`{"subtype":"mcp_set_servers","servers":{"a":{"command":"srv","args":["-v"]},"b":{"type":"carrier-pigeon","loft":[7]}}}`)
	r, err := wire.DecodeRequest(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	servers := r.(*wire.MCPSetServersRequest).Servers
	if a := servers["a"]; a.Type != nil || *a.Command != "srv" {
		t.Errorf("the server without a type is %+v", a)
	}
	if b := servers["b"]; *b.Type != "carrier-pigeon" || b.Type.Known() {
		t.Errorf("the server of an unknown type is %+v", b)
	}
	if out, err := r.AppendJSON(nil); err != nil || string(out) != string(text) {
		t.Errorf("got %s, %v", out, err)
	}
}
