package vendoring

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/seeds"
)

// copyOf writes a copy of the real sources.
func copyOf(t testing.TB, o Options) {
	t.Helper()
	o.Sources, o.Info = whole(), info
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	write(t, c)
}

// subsetTest is a test that the owner of a copy with control and hook might write.
const subsetTest = `package ccproto

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

func TestNothingOfAnyLineIsLost(t *testing.T) {
	text, err := os.ReadFile("lines.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	var d Decoder
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		frame, err := d.Decode(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out, err := Append(nil, frame)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		var was, is any
		if json.Unmarshal(line, &was) != nil || json.Unmarshal(out, &is) != nil || !reflect.DeepEqual(was, is) {
			t.Errorf("%s comes out as %s", line, out)
		}
	}
}

func TestLinesOfTheAreasAreTypedAndOthersAreKept(t *testing.T) {
	for line, typed := range map[string]bool{
		` + "`" + `{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}` + "`" + `: true,
		` + "`" + `{"type":"control_request","request_id":"1","request":{"subtype":"new_one","a":[1, 2]}}` + "`" + `: false,
		` + "`" + `{"type":"assistant","message":{"role": "assistant"},"uuid":7}` + "`" + `: false,
		` + "`" + `{"type":"stream_event","event":{"type":"ping"},"session_id":"s","parent_tool_use_id":null,"uuid":"u"}` + "`" + `: false,
		` + "`" + `{"type":"user","content":"flat"}` + "`" + `: false,
	} {
		var d Decoder
		for i := 0; i < 3; i++ {
			frame, err := d.Decode([]byte(line))
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			got := true
			switch f := frame.(type) {
			case *UnknownFrame:
				got = false
			case *ControlRequest:
				_, unknown := f.Request.(*UnknownRequest)
				got = !unknown
			}
			if out, err := Append(nil, frame); err != nil || string(out) != line || got != typed {
				t.Errorf("%s: typed is %v, and it comes out as %s, %v", line, got, out, err)
			}
		}
	}
}

func TestHooksAreTyped(t *testing.T) {
	in, err := DecodeHookInput([]byte(` + "`" + `{"hook_event_name":"Stop","session_id":"s","transcript_path":"/t","cwd":"/","stop_hook_active":false}` + "`" + `), nil)
	if _, ok := in.(*StopInput); err != nil || !ok {
		t.Errorf("got %T, %v", in, err)
	}
}
`

// modernLines returns lines of all kinds that may be sent and have no shape of older peers.
func modernLines(t testing.TB) string {
	t.Helper()
	var lines strings.Builder
	for _, in := range seeds.Frames() {
		legacy := false
		frame, err := wire.DecodeFrame(in.Data, &wire.Options{Report: func(d wire.Deviation) { legacy = legacy || d.Kind == codec.LegacyShape }})
		if err == nil {
			_, err = wire.Append(nil, frame)
		}
		if err == nil && !legacy {
			lines.Write(in.Data)
			lines.WriteByte('\n')
		}
	}
	if n := strings.Count(lines.String(), "\n"); n < 150 {
		t.Fatalf("only %d lines", n)
	}
	return lines.String()
}

// TestASubsetPassesItsTestsWithTheOldestGo builds a copy of each area alone, but for control, which
// needs hook: the copy of these two has a test.
func TestASubsetPassesItsTestsWithTheOldestGo(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds copies with another tool chain; make test-all runs it")
	}
	root := scratchModule(t)
	for _, area := range slices.DeleteFunc(Areas(), func(area string) bool { return area == "control" }) {
		copyOf(t, Options{Dir: filepath.Join(root, area), Only: []string{area}})
	}
	dir := filepath.Join(root, "ccproto")
	copyOf(t, Options{Dir: dir, Only: []string{"control", "hook"}})
	writeTestFile(t, filepath.Join(dir, "subset_test.go"), subsetTest)
	writeTestFile(t, filepath.Join(dir, "lines.ndjson"), modernLines(t))
	goIn(t, "go"+OldestGo+".12", root, "build", "./...")
	goIn(t, "go"+OldestGo+".12", root, "test", "./ccproto")
}

func TestASubsetIsSmallerAndSaysWhatItHas(t *testing.T) {
	size := func(only ...string) (n int, doc string) {
		c, err := New(Options{Dir: filepath.Join(scratchModule(t), "wire"), Only: only, Sources: whole(), Info: info})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range c.files {
			n += len(text)
		}
		return n, string(c.files["doc.go"])
	}
	whole, _ := size()
	hooks, doc := size("mcp", "hook")
	if hooks > whole/2 {
		t.Errorf("%d bytes of %d", hooks, whole)
	}
	if !strings.Contains(doc, "\n// hook, mcp.\n") {
		t.Errorf("the package comment does not name the areas:\n%s", doc)
	}
}

func TestUnknownAreasAndPartsSuggestNearOnes(t *testing.T) {
	const areas = " (there is content, control, envelope, hook, host, mcp, message, permission, tool)"
	tests := []struct {
		name       string
		only, with []string
		want       string
	}{
		{"plural", []string{"control", "hooks"}, nil, `there is no area "hooks"; did you mean hook?` + areas},
		{"typing error", []string{"mesage"}, nil, `there is no area "mesage"; did you mean message?` + areas},
		{"several near ones", []string{"cont"}, nil, `there is no area "cont"; did you mean host or content or control?` + areas},
		{"capital", []string{"MCP"}, nil, `there is no area "MCP"; did you mean mcp?` + areas},
		{"nothing near", []string{"telemetry"}, nil, `there is no area "telemetry"` + areas},
		{"empty", []string{""}, nil, `there is no area ""` + areas},
		{"comes along only", []string{"shared"}, nil, `there is no area "shared"` + areas},
		{"part", nil, []string{"transports"}, `there is no part "transports"; did you mean transport? (there is transport)`},
		{"transport of a subset", []string{"hook"}, []string{"transport"}, "transport needs the types of all areas: leave out --only, --for and --recorded, or --with transport"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(Options{Dir: scratchModule(t), Only: tt.only, With: tt.with, Sources: small(), Info: info})
			if err == nil {
				t.Fatal("it is taken")
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
