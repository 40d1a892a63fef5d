package inventory_test

import (
	"bytes"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/inventory"
)

func toCLI(line string) recording.Entry { return recording.Entry{Dir: recording.ToCLI, Line: line} }
func toSDK(line string) recording.Entry { return recording.Entry{Dir: recording.ToSDK, Line: line} }

// file is a recording of these entries that ends with code 3 by TERM.
func file(t *testing.T, entries ...recording.Entry) *fstest.MapFile {
	t.Helper()
	code := 3
	entries = append([]recording.Entry{{Dir: recording.Header, Version: "2.1.325"}}, entries...)
	entries = append(entries, recording.Entry{Dir: recording.Exit, Code: &code, Signal: "TERM"})
	var b bytes.Buffer
	if err := recording.Write(&b, entries); err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: b.Bytes()}
}

func course(t *testing.T, entries ...recording.Entry) *inventory.Course {
	t.Helper()
	inv, err := inventory.Read(fstest.MapFS{"area/name.ndjson": file(t, entries...)})
	if err != nil {
		t.Fatal(err)
	}
	return inv.Scenarios["area/name"]
}

func keys[M ~map[K]V, K ~string, V any](m M) []K { return slices.Sorted(maps.Keys(m)) }

func TestReadFindsEachRecordingOfAVersion(t *testing.T) {
	inv, err := inventory.Read(fstest.MapFS{"a/x.ndjson": file(t), "b/y.ndjson": file(t), "b/notes.txt": {}, "c/d/z.ndjson": {}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a/x", "b/y"}, keys(inv.Scenarios)); diff != "" || inv.Version != "2.1.325" {
		t.Errorf("version %q, -want +got\n%s", inv.Version, diff)
	}
}

func TestReadSaysWhichFileIsNoRecording(t *testing.T) {
	for _, tt := range []struct {
		name string
		fsys fs.FS
		want string
	}{
		{"no files", fstest.MapFS{}, "no recordings"},
		{"no JSON", fstest.MapFS{"a/x.ndjson": {Data: []byte("hello")}}, "a/x.ndjson: recording: entry 1"},
		{"no end", fstest.MapFS{"a/x.ndjson": {Data: []byte(`{"dir":"header"}`)}}, "a/x.ndjson: recording: no header or no exit"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := inventory.Read(tt.fsys); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

const (
	ask       = `{"type":"control_request","request_id":"r1","request":{"subtype":"interrupt"}}`
	reply     = `{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"still_queued":[]}}}`
	refusal   = `{"type":"control_response","response":{"subtype":"error","request_id":"r1","error":"no"}}`
	keep      = `{"type":"keep_alive"}`
	hook      = `{"type":"control_request","request_id":"c1","request":{"subtype":"hook_callback","callback_id":"h","input":{"hook_event_name":"Stop","session_id":"s","transcript_path":"/t","cwd":"/c","stop_hook_active":false}}}`
	assistant = `{"type":"assistant","session_id":"s","uuid":"u","parent_tool_use_id":null,"message":{"id":"m","type":"message","role":"assistant","model":"x","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`
	userLine  = `{"type":"user","message":{"role":"user","content":"hi"}}`
)

func TestACourseHasTheKindsOfLinesInTheirOrder(t *testing.T) {
	c := course(t, toCLI(ask), toSDK(keep), toSDK(reply), toSDK(keep), toCLI(userLine+"\n"+"no JSON"), toCLI(`{}`), toSDK(hook),
		recording.Entry{Dir: recording.Signal, Line: "INT"}, recording.Entry{Dir: recording.EOF})
	want := []string{
		"> control_request/interrupt", "< keep_alive", "< control_response/interrupt/success", "< keep_alive",
		"> user", "> (no object)", "> (no type)", "< control_request/hook_callback/Stop", "> signal INT", "> end of input",
	}
	if diff := cmp.Diff(want, c.Lines); diff != "" {
		t.Errorf("lines: -want +got\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"keep_alive": 2, "control_response/interrupt/success": 1, "control_request/hook_callback/Stop": 1}, c.Types); diff != "" {
		t.Errorf("types of the CLI: -want +got\n%s", diff)
	}
	if c.Exit != "3 TERM" {
		t.Errorf("exit %q", c.Exit)
	}
}

func TestARequestThatOnceSucceedsCountsAsSuccess(t *testing.T) {
	for _, tt := range []struct {
		name    string
		replies []recording.Entry
		want    map[string]string
	}{
		{"no reply", nil, map[string]string{}},
		{"error", []recording.Entry{toSDK(refusal)}, map[string]string{"interrupt": "error"}},
		{"error, then success", []recording.Entry{toSDK(refusal), toSDK(reply)}, map[string]string{"interrupt": "success"}},
		{"success, then error", []recording.Entry{toSDK(reply), toSDK(refusal)}, map[string]string{"interrupt": "success"}},
		{"reply in the next session", []recording.Entry{{Dir: recording.Header}, toSDK(reply)}, map[string]string{}},
		{"reply to nothing", []recording.Entry{toSDK(strings.Replace(reply, "r1", "r2", 1))}, map[string]string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := course(t, append([]recording.Entry{toCLI(ask)}, tt.replies...)...)
			if diff := cmp.Diff(tt.want, c.Asked); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestAReplyCountsForTheOldestRequestWithItsID(t *testing.T) {
	other := strings.Replace(ask, `"interrupt"`, `"no_such_thing"`, 1)
	c := course(t, toCLI(ask), toCLI(other), toSDK(reply), toSDK(refusal))
	if diff := cmp.Diff(map[string]string{"interrupt": "success", "no_such_thing": "error"}, c.Asked); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestMembersHaveTheKindsAndValuesThatWereSeen(t *testing.T) {
	c := course(t, toCLI(ask), toSDK(reply),
		toSDK(strings.Replace(reply, `"still_queued":[]`, `"still_queued":[],"novel":1`, 1)), toSDK(refusal),
		toSDK(assistant), toSDK(strings.Replace(assistant, `"parent_tool_use_id":null`, `"parent_tool_use_id":"t"`, 1)))
	for _, tt := range []struct {
		definition, member string // how the definition begins
		kinds, values      []string
		known              bool
	}{
		{"control/interrupt.json", "still_queued", []string{"array"}, nil, true},
		{"message/assistant.json", "parent_tool_use_id", []string{"null", "string"}, nil, true},
		{"message/assistant.json", "type", []string{"string"}, []string{"assistant"}, true},
		{"control/interrupt.json", "novel", []string{"number"}, nil, false},
		{"envelope/", "type", []string{"string"}, []string{"control_response"}, true},
		{"envelope/", "error", []string{"string"}, nil, true},
	} {
		t.Run(tt.definition+" "+tt.member, func(t *testing.T) {
			found := 0
			for m, seen := range c.Members {
				if !strings.HasPrefix(m.Definition, tt.definition) || m.Name != tt.member {
					continue
				}
				found++
				if diff := cmp.Diff(tt.kinds, keys(seen.Kinds)); diff != "" {
					t.Errorf("kinds: -want +got\n%s", diff)
				}
				if diff := cmp.Diff(tt.values, keys(seen.Values)); diff != "" {
					t.Errorf("values: -want +got\n%s", diff)
				}
				if seen.Known != tt.known {
					t.Errorf("known: %v", seen.Known)
				}
			}
			if found != 1 {
				t.Errorf("it is in %d definitions: %v", found, slices.Collect(maps.Keys(c.Members)))
			}
		})
	}
}

func TestWhatTheSchemasDoNotNameIsListedWithoutIndexes(t *testing.T) {
	novel := strings.Replace(assistant, `"text":"b"`, `"text":"b","novel":1`, 1)
	want := []string{`assistant: unknown member at /message/content/N/novel: "novel"`}
	if diff := cmp.Diff(want, course(t, toSDK(novel)).Unknown); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got := course(t, toCLI(ask), toSDK(reply), toSDK(keep), toSDK(assistant)).Unknown; len(got) > 0 {
		t.Errorf("unknown in known lines: %q", got)
	}
}

func TestALineThatDoesNotFitTheSchemasIsListed(t *testing.T) {
	c := course(t, toSDK(`{"type":"assistant","message":7}`), toSDK(keep))
	if len(c.Unknown) != 1 || !strings.HasPrefix(c.Unknown[0], "assistant: does not fit the schemas: ") || c.Types["keep_alive"] != 1 {
		t.Errorf("unknown %q, types %v", c.Unknown, c.Types)
	}
}

func TestALineThatIsInManyRecordingsCountsInEach(t *testing.T) {
	novel := strings.Replace(assistant, `"text":"b"`, `"text":"b","novel":1`, 1)
	fsys := fstest.MapFS{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		fsys[name+"/x.ndjson"] = file(t, toSDK(novel), toSDK(novel))
	}
	inv, err := inventory.Read(fsys)
	if err != nil {
		t.Fatal(err)
	}
	want := course(t, toSDK(novel), toSDK(novel))
	for name, c := range inv.Scenarios {
		if diff := cmp.Diff(want, c); diff != "" || len(c.Unknown) != 2 {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}
