package drift

import (
	"bytes"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/conformance/inventory"
	"github.com/ccwire/ccwire/internal/conformance/recording"
)

// read makes an inventory of recordings, each a list of lines of the CLI after one interrupt
// request.
func read(t *testing.T, version string, exit int, scenarios map[string][]string) *inventory.Inventory {
	t.Helper()
	files := fstest.MapFS{}
	for name, lines := range scenarios {
		entries := []recording.Entry{
			{Dir: recording.Header, Scenario: name, Version: version},
			{Dir: recording.ToCLI, Line: `{"type":"control_request","request_id":"r1","request":{"subtype":"interrupt"}}`},
		}
		for _, l := range lines {
			entries = append(entries, recording.Entry{Dir: recording.ToSDK, Line: l})
		}
		entries = append(entries, recording.Entry{Dir: recording.Exit, Code: &exit})
		var b bytes.Buffer
		if err := recording.Write(&b, entries); err != nil {
			t.Fatal(err)
		}
		files[name+".ndjson"] = &fstest.MapFile{Data: b.Bytes()}
	}
	inv, err := inventory.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

const (
	plainReply = `{"type":"control_response","response":{"subtype":"success","request_id":"r1"}}`
	newReply   = `{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"still_queued":[],"novel":1}}}`
	errorReply = `{"type":"control_response","response":{"subtype":"error","request_id":"r1","error":"no"}}`
	keepAlive  = `{"type":"keep_alive"}`
)

func TestCompareNamesWhatChanged(t *testing.T) {
	from := read(t, "1.0.0", 0, map[string][]string{"a/x": {plainReply}, "a/old": {plainReply}})
	to := read(t, "2.0.0", 1, map[string][]string{"a/x": {newReply, keepAlive}, "a/new": {plainReply}})
	got := Compare(from, to)
	want := &Drift{
		From: "1.0.0", To: "2.0.0",
		NewTypes: []string{"keep_alive"},
		Courses:  []Course{{"a/x", []string{"+ < keep_alive", "exit code: was 0, is 1"}}},
		OnlyFrom: []string{"a/old"}, OnlyTo: []string{"a/new"},
		Unknown: []string{`control_response/interrupt/success: unknown member at /novel: "novel"`},
	}
	got.NewMembers = nil // the names of definitions are those of the schemas
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestCompareNamesRepliesThatTurned(t *testing.T) {
	from := read(t, "1.0.0", 0, map[string][]string{"a/x": {errorReply}})
	to := read(t, "2.0.0", 0, map[string][]string{"a/x": {plainReply}})
	if diff := cmp.Diff([]string{"interrupt: was error, is success"}, Compare(from, to).ChangedReplies); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestEqualRecordingsHaveNoDrift(t *testing.T) {
	a := read(t, "1.0.0", 0, map[string][]string{"a/x": {plainReply, keepAlive}})
	d := Compare(a, a)
	if !d.Empty() {
		t.Errorf("got %+v", d)
	}
	var text, md bytes.Buffer
	if err := d.Text(&text); err != nil {
		t.Fatal(err)
	}
	if err := d.Markdown(&md); err != nil {
		t.Fatal(err)
	}
	if text.String() != "from 1.0.0 to 1.0.0\n\nNothing changed on the wire.\n" || !bytes.HasPrefix(md.Bytes(), []byte("## From 1.0.0 to 1.0.0\n")) {
		t.Errorf("got %s\n%s", &text, &md)
	}
}

func TestLineDiff(t *testing.T) {
	for _, tt := range []struct{ a, b, want []string }{
		{nil, nil, nil},
		{[]string{"x", "y"}, []string{"x", "z", "y"}, []string{"+ z"}},
		{[]string{"x", "y"}, []string{"y"}, []string{"- x"}},
		{[]string{"x", "y"}, []string{"x", "z"}, []string{"- y", "+ z"}},
	} {
		if diff := cmp.Diff(tt.want, lineDiff(tt.a, tt.b)); diff != "" {
			t.Errorf("%v: -want +got\n%s", fmt.Sprint(tt.a, tt.b), diff)
		}
	}
}
