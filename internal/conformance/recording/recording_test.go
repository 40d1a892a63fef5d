package recording

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	id1 = "3f0c2a10-1111-4222-8333-444455556666"
	id2 = "9a0c2a10-1111-4222-8333-444455556666"
)

func TestEntriesSurviveWritingAndReading(t *testing.T) {
	code, total := 1, 2
	entries := []Entry{
		{Dir: Header, Scenario: "a/b", Version: "2.1.325", Args: []string{"--x"}},
		Written(ToCLI, []byte("{\"a\":\"<\u2028>\"}\n")),
		Written(ToCLI, []byte("no end")),
		Written(ToCLI, []byte("bad \xff bytes\n")),
		{Dir: API, Total: &total},
		{Dir: Exit, Code: &code, Stderr: "oops"},
	}
	var b bytes.Buffer
	if err := Write(&b, entries); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(entries, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for i, want := range map[int]string{1: "{\"a\":\"<\u2028>\"}\n", 2: "no end", 3: "bad \xff bytes\n"} {
		if data, err := got[i].Bytes(); err != nil || string(data) != want {
			t.Errorf("entry %d: got %q, %v", i, data, err)
		}
	}
}

func TestReadWantsHeaderAndExit(t *testing.T) {
	for _, text := range []string{"", `{"dir":"header"}`, `{"dir":"exit"}` + "\n" + `{"dir":"exit"}`, "{"} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestScrubbedLinesOfEqualSessionsAreEqual(t *testing.T) {
	session := func(a, b, root, pid string) []Entry {
		return []Entry{
			{Dir: ToCLI, Line: `{"type":"user","uuid":"` + a + `","cwd":"` + root + `/cwd"}`},
			{Dir: ToSDK, Line: `{"type":"system","session_id":"` + b + `","uuid":"` + a + `","pid":` + pid + `,"duration_ms":` + pid + `,"total_cost_usd":0.` + pid +
				`,"path":"` + root + `/tmp/cc-socks/` + pid + `.sock","at":"2026-01-02T03:04:0` + pid[:1] + `.123Z","url":"http://127.0.0.1:` + pid + `","num_turns":2}`},
			{Dir: Exit, Stderr: "noise " + pid + "\nError: " + root},
		}
	}
	scrub := func(entries []Entry, root string) []Entry {
		s := Scrubber{Names: NewNames("2.1.325", root), Stderr: []*regexp.Regexp{regexp.MustCompile("Error")}}
		return s.Entries(entries)
	}
	a := scrub(session(id1, id2, "/tmp/ccwire-00000001", "123"), "/tmp/ccwire-00000001")
	b := scrub(session(id2, id1, "/var/tmp/ccwire-00000002", "4567"), "/var/tmp/ccwire-00000002")
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("-first +second\n%s", diff)
	}
	want := `{"type":"system","session_id":"00000000-0000-4000-8000-000000000002","uuid":"00000000-0000-4000-8000-000000000001","pid":0,"duration_ms":0,` +
		`"total_cost_usd":0,"path":"/scratch/tmp/cc-socks/1.sock","at":"2000-01-01T00:00:00.000Z","url":"http://127.0.0.1:0","num_turns":2}`
	if diff := cmp.Diff(want, a[1].Line); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if a[2].Stderr != "Error: /scratch" {
		t.Errorf("stderr is %q", a[2].Stderr)
	}
}

func TestScrubKeepsOneOfEachShapeAndWhatTheScenarioMentions(t *testing.T) {
	s := Scrubber{Names: NewNames("2.1.325", ""), Mentions: func(text string) bool { return text == "mcp__srv__echo" }}
	line := `{"tools":["Task","Bash","mcp__srv__echo"],"commands":[{"name":"a","description":"` + strings.Repeat("long ", 20) + `"},{"name":"b"},{"name":"c"}],"v":"2.1.325","w":"12.1.3251"}`
	got := s.Entries([]Entry{{Dir: ToSDK, Line: line}})[0].Line
	want := `{"tools":["Task","mcp__srv__echo"],"commands":[{"name":"a","description":"[prose]"},{"name":"b"}],"v":"[version]","w":"12.1.3251"}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestShowIsTheReverseOfHide(t *testing.T) {
	a := NewNames("2.1.325", "/tmp/ccwire-00000001")
	text := `{"id":"` + id1 + `","other":"` + id2 + `","agent":"a5adc1e25b5120963","run":"0mwhamaal-e2bcae0c","cwd":"/tmp/ccwire-00000001/cwd",` +
		`"project":"-tmp-ccwire-00000001-cwd","v":"2.1.325"}`
	hidden := a.Hide(text)
	want := `{"id":"00000000-0000-4000-8000-000000000001","other":"00000000-0000-4000-8000-000000000002","agent":"a0000000000000001","run":"000000000-00000001",` +
		`"cwd":"/scratch/cwd","project":"-scratch-cwd","v":"[version]"}`
	if diff := cmp.Diff(want, hidden); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got := a.Show(hidden); got != text {
		t.Errorf("got %s, want %s", got, text)
	}
	b := NewNames("2.1.325", "/tmp/ccwire-00000002")
	shown := b.Show(hidden)
	if shown == text || shown != b.Show(hidden) {
		t.Errorf("got %s", shown)
	}
	if diff := cmp.Diff(hidden, b.Hide(shown)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
