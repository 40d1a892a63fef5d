package drift

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/inventory"
	"github.com/ccwire/ccwire/internal/suite/probe"
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
	result     = `{"type":"result"}`
	emptyReply = `{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"still_queued":[]}}}`
	plainReply = `{"type":"control_response","response":{"subtype":"success","request_id":"r1"}}`
	newReply   = `{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"still_queued":[],"novel":1}}}`
	errorReply = `{"type":"control_response","response":{"subtype":"error","request_id":"r1","error":"no"}}`
	keepAlive  = `{"type":"keep_alive"}`
)

func TestWhatALineThatIsCutHadIsNotSaidToBeGone(t *testing.T) {
	course := func(line string, truncated int) *inventory.Inventory {
		code := 0
		var b bytes.Buffer
		err := recording.Write(&b, []recording.Entry{
			{Dir: recording.Header, Scenario: "a/x", Version: "1.0.0"},
			{Dir: recording.ToSDK, Line: plainReply},
			{Dir: recording.ToSDK, Line: line, Truncated: truncated},
			{Dir: recording.Exit, Code: &code},
		})
		if err != nil {
			t.Fatal(err)
		}
		inv, err := inventory.Read(fstest.MapFS{"a/x.ndjson": {Data: b.Bytes()}})
		if err != nil {
			t.Fatal(err)
		}
		return inv
	}
	whole, cut := course(emptyReply, 0), course(emptyReply[:60], 70000)
	for name, d := range map[string]*Drift{"cut later": Compare(whole, cut, nil, nil), "cut before": Compare(cut, whole, nil, nil)} {
		if !d.Empty() || len(d.Unknown) > 0 {
			t.Errorf("%s: %v, unknown %q", name, kinds(d), d.Unknown)
		}
	}
}

func TestLinesThatComeByChanceAreNoChange(t *testing.T) {
	const mirror = `{"type":"transcript_mirror","filePath":"f","entries":[]}`
	from := read(t, "1.0.0", 0, map[string][]string{"a/x": {mirror, keepAlive, mirror, result}, "a/y": {keepAlive, result}})
	to := read(t, "2.0.0", 0, map[string][]string{"a/x": {keepAlive, result, mirror}, "a/y": {result}})
	if d := Compare(from, to, nil, func(scenario, kind string) bool { return scenario == "a/y" && kind == "keep_alive" }); !d.Empty() {
		t.Errorf("got %v", kinds(d))
	}
	if d := Compare(from, to, nil, nil); d.Empty() {
		t.Error("a line that does not vary is no change")
	}
}

// kinds has what the changes of a drift are, by group.
func kinds(d *Drift) map[string][]string {
	all := map[string][]string{}
	for _, s := range d.sections() {
		for _, c := range s.Changes {
			all[s.Title] = append(all[s.Title], fmt.Sprintf("%s: %s %v %v", c.Kind, c.What, c.Scenarios, c.Failing))
		}
	}
	return all
}

func TestCompareGroupsWhatChangedByWhatItMeans(t *testing.T) {
	for _, tt := range []struct {
		name     string
		from, to map[string][]string
		exit     int // of the newer version
		want     map[string][]string
	}{
		{
			name: "nothing",
			from: map[string][]string{"a/x": {plainReply}},
			to:   map[string][]string{"a/x": {plainReply}},
		},
		{
			name: "a new line",
			from: map[string][]string{"a/x": {plainReply}, "a/y": {plainReply}},
			to:   map[string][]string{"a/x": {plainReply, keepAlive}, "a/y": {keepAlive, plainReply}},
			want: map[string][]string{"New things to support": {"new line: keep_alive [a/x a/y] []"}},
		},
		{
			name: "a line that comes more often",
			from: map[string][]string{"a/x": {plainReply}, "a/y": {keepAlive}},
			to:   map[string][]string{"a/x": {plainReply, keepAlive}, "a/y": {keepAlive}},
			want: map[string][]string{"Cosmetic": {"line comes more often: keep_alive [a/x] []"}},
		},
		{
			name: "a line that is gone",
			from: map[string][]string{"a/x": {plainReply, keepAlive}},
			to:   map[string][]string{"a/x": {plainReply}},
			want: map[string][]string{"Breaks SDKs": {"line gone: keep_alive [a/x] []"}},
		},
		{
			name: "another order",
			from: map[string][]string{"a/x": {plainReply, result}},
			to:   map[string][]string{"a/x": {result, plainReply}},
			want: map[string][]string{"Breaks SDKs": {"line comes at another place: control_response/interrupt/success [a/x] []"}},
		},
		{
			name: "a reply that turned",
			from: map[string][]string{"a/x": {errorReply}},
			to:   map[string][]string{"a/x": {plainReply}},
			want: map[string][]string{"New things to support": {
				"new line: control_response/interrupt/success [a/x] []", "reply: interrupt: was error, is success [a/x] []",
			}, "Breaks SDKs": {"line gone: control_response/interrupt/error [a/x] []"}},
		},
		{
			name: "new members",
			from: map[string][]string{"a/x": {emptyReply}},
			to:   map[string][]string{"a/x": {newReply}},
			want: map[string][]string{"New things to support": {"new member: control/interrupt Response: novel (number) [a/x] []"}},
		},
		{
			name: "another exit code",
			from: map[string][]string{"a/x": {plainReply}},
			to:   map[string][]string{"a/x": {plainReply}},
			exit: 1,
			want: map[string][]string{"Breaks SDKs": {"exit code: was 0, is 1 [a/x] []"}},
		},
		{
			name: "a scenario without a recording",
			from: map[string][]string{"a/x": {plainReply}, "a/y": {plainReply}},
			to:   map[string][]string{"a/x": {plainReply}},
			want: map[string][]string{"Breaks SDKs": {"scenario not recorded: not recorded for 2.0.0 [a/y] []"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Compare(read(t, "1.0.0", 0, tt.from), read(t, "2.0.0", tt.exit, tt.to), nil, nil)
			if tt.want == nil {
				tt.want = map[string][]string{}
			}
			if diff := cmp.Diff(tt.want, kinds(d)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if d.Empty() != (len(tt.want) == 0) {
				t.Errorf("Empty is %v", d.Empty())
			}
		})
	}
}

func TestScenariosOfOneVersionOnlyAreNotCompared(t *testing.T) {
	from := read(t, "1.0.0", 0, map[string][]string{"a/x": {plainReply}, "a/old": {plainReply}})
	to := read(t, "2.0.0", 0, map[string][]string{"a/x": {plainReply}, "a/new": {plainReply}})
	d := Compare(from, to, func(scenario, version string) bool { return scenario == "a/x" }, nil)
	want := &Drift{From: "1.0.0", To: "2.0.0", Compared: 1, NotFor: []string{"a/new", "a/old"}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestNothingComparedIsNotNothingChanged(t *testing.T) {
	none := &inventory.Inventory{Version: "2.0.0"}
	d := Compare(none, none, nil, nil)
	var text bytes.Buffer
	if err := d.Text(&text); err != nil || d.Empty() || bytes.Contains(text.Bytes(), []byte("Nothing changed")) {
		t.Errorf("got %v, %s", err, &text)
	}
}

func TestEveryFormatSaysWhatChanged(t *testing.T) {
	from := read(t, "1.0.0", 0, map[string][]string{"a/x": {plainReply, keepAlive}})
	to := read(t, "2.0.0", 0, map[string][]string{"a/x": {plainReply, `{"type":"n<` + "`" + `>\u001b"}`}})
	d := Compare(from, to, nil, nil)
	for name, write := range map[string]func(io.Writer) error{"text": d.Text, "markdown": d.Markdown, "html": d.HTML} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"1.0.0", "2.0.0", "1 scenario compared. 1 change breaks SDKs, 1 is new.", "Breaks SDKs (1)", "line gone", "keep_alive", "New things to support (1)", "a/x"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, &b)
			}
		}
		if strings.Contains(b.String(), "\x1b") || name == "html" && strings.Contains(b.String(), "n<") {
			t.Errorf("%s has what the CLI wrote as it is:\n%s", name, &b)
		}
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

func TestTheProbeIsAtTheEndInEveryFormatAndIsNoChange(t *testing.T) {
	same := map[string][]string{"turn/a": {result}}
	d := Compare(read(t, "1.0.0", 0, same), read(t, "1.0.1", 0, same), nil, nil)
	d.Probe = &probe.Report{Version: "1.0.1", Findings: []probe.Findings{
		{Kind: probe.Request, Tried: 2, Recognised: []string{"brand_new"}, New: []probe.Finding{{Name: "brand_new", Reply: "success"}}, Gone: []string{"old_one"}},
	}}
	if !d.Empty() {
		t.Error("what a CLI recognises is taken for a change")
	}
	for name, write := range map[string]func(io.Writer) error{"text": d.Text, "markdown": d.Markdown, "html": d.HTML} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		_, after, ok := strings.Cut(b.String(), "What 1.0.1 recognises")
		if !ok || !strings.Contains(after, "brand_new") || !strings.Contains(after, "old_one") {
			t.Errorf("%s: %s", name, b.String())
		}
	}
}
