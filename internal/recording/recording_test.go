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
			{Dir: ToSDK, Line: `{"type":"system","session_id":"` + b + `","uuid":"` + a + `","pid":` + pid + `,"duration_ms":` + pid + `,"phases_ms":{"one":` + pid + `},"timeout_ms":{"type":"number","minimum":2},"total_cost_usd":0.` + pid +
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
	want := `{"type":"system","session_id":"00000000-0000-4000-8000-000000000002","uuid":"00000000-0000-4000-8000-000000000001","pid":0,"duration_ms":0,"phases_ms":{"one":0},"timeout_ms":{"type":"number","minimum":2},` +
		`"total_cost_usd":0,"path":"/scratch/tmp/cc-socks/1.sock","at":"2000-01-01T00:00:00.000Z","url":"http://127.0.0.1:0","num_turns":2}`
	if diff := cmp.Diff(want, a[1].Line); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if a[2].Stderr != "Error: /scratch" {
		t.Errorf("stderr is %q", a[2].Stderr)
	}
}

func TestIdsThatLookLikeWordsAreHiddenWhereTheirPlaceShowedThem(t *testing.T) {
	session := func(shell, job, wall, next string) []Entry {
		return []Entry{
			{Dir: ToSDK, Line: `{"task_id":"` + shell + `","summary":"behaviour of beautiful deadbeef"}`},
			{Dir: ToSDK, Line: `{"content":"runs with ID: ` + shell + `, see tasks/` + shell + `.output"}`},
			{Dir: ToCLI, Line: `{"subtype":"stop_task","task_id":"` + shell + `"}`},
			{Dir: ToSDK, Line: `{"content":"Scheduled recurring job ` + job + ` (daily). Next run: ` + next + `."}`},
			{Dir: ToSDK, Line: `{"jobs":[{"id":"` + job + `"}],"result":"Total duration (wall): ` + wall + `\nTotal"}`},
		}
	}
	scrub := func(entries []Entry) []Entry {
		s := Scrubber{Names: NewNames("2.1.325", "")}
		return s.Entries(entries)
	}
	got := scrub(session("bcvkakgxy", "6554f7ef", "1m 12s", "Nov 16 9:30am"))
	if diff := cmp.Diff(session("b00000001", "c0000001", "0s", "Jan 1 0:00am"), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff(got, scrub(session("b04vhg7dw", "deadbee1", "7.8s", "Dec 1 11:07pm"))); diff != "" {
		t.Errorf("-first +second\n%s", diff)
	}
	names := NewNames("2.1.325", "")
	shown := names.Show(got[0].Line)
	if shown == got[0].Line || !strings.Contains(shown, "behaviour of beautiful deadbeef") {
		t.Errorf("got %s", shown)
	}
	if diff := cmp.Diff(got[0].Line, names.Hide(shown)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
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

func TestWhetherATextIsKeptDoesNotDependOnChance(t *testing.T) {
	filler := strings.Repeat("a", maxText-len("/plans/plan.md"))
	var got []string
	for _, name := range []string{"a-b", "some-very-random-words-that-are-long"} {
		s := Scrubber{Names: NewNames("2.1.325", "")}
		got = append(got, s.Line(`{"text":"`+filler+`/plans/`+name+`.md"}`))
	}
	want := `{"text":"` + filler + `/plans/plan.md"}`
	if diff := cmp.Diff([]string{want, want}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestALineOfTheCLIIsCutWhenItIsStillTooLongAfterScrubbing(t *testing.T) {
	long := strings.Repeat("word ", 20_000)
	numbers := "[" + strings.Repeat("1,", maxLine) + "1]"
	for _, tt := range []struct {
		name string
		dir  Dir
		line string
		want Entry
	}{
		{"prose", ToSDK, `{"text":"` + long + `"}`, Entry{Dir: ToSDK, Line: `{"text":"[prose]"}`}},
		{"still too long", ToSDK, numbers, Entry{Dir: ToSDK, Line: numbers[:headLine], Truncated: len(numbers)}},
		{"of the SDK", ToCLI, `{"text":"` + long + `"}`, Entry{Dir: ToCLI, Line: (`{"text":"` + long)[:headLine], Truncated: len(long) + 11}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := Scrubber{Names: NewNames("2.1.325", "")}
			got := s.Entries([]Entry{Written(tt.dir, []byte(tt.line+"\n"))})
			if diff := cmp.Diff([]Entry{tt.want}, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestCutIDsFindsStandInsOfEveryKind(t *testing.T) {
	text := "u " + id1 + " a0123456789abcdef run 0abcdefgh-01234567 shell bcvkakgxy job 6554f7ef word"
	names := NewNames("2.1.325", "")
	names.learn(`"task_id":"bcvkakgxy" job 6554f7ef`)
	rest, ids := CutIDs(names.Hide(text))
	if rest != "u [id] [id] run [id] shell [id] job [id] word" || len(ids) != 5 {
		t.Errorf("got %q, %q", rest, ids)
	}
}

func TestScrubHidesWhatIsRandomAndHasNoFormOfItsOwn(t *testing.T) {
	const secret = "Pjn2JtAk_ifVk8k9JxnIRX-1SxVOq7cI3n73L46oi0w"
	for _, tt := range []struct{ name, line, want string }{
		{"the id of a shell", `{"task_id":"bdimuvksx","file":"/t/bdimuvksx.output","text":"beginning"}`, `{"task_id":"b00000001","file":"/t/b00000001.output","text":"beginning"}`},
		{"a file that a tool has returned", `{"text":"mcp-srv-blob-1794792593279-q1rirc.png"}`, `{"text":"mcp-srv-blob-0-0.png"}`},
		{"the kernel of the machine", `{"snapshot":{"platform":"linux","osVersion":"Linux 6.18.44-host"}}`, `{"snapshot":{"platform":"linux","osVersion":"Linux 6.0.0"}}`},
		{"a login", `{"url":"http://x/?code_challenge=` + secret + `&uri=localhost%3A57560%2Fc&state=` + secret + `","state":"` + secret + `","callbackPort":57560}`,
			`{"url":"http://x/?code_challenge=[secret]&uri=localhost%3A0%2Fc&state=[secret]","state":"[secret]","callbackPort":0}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := Scrubber{Names: NewNames("2.1.325", "")}
			if diff := cmp.Diff(tt.want, s.Line(tt.line)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestPartsOfAUUIDAreNoStandIns(t *testing.T) {
	n := NewNames("", "")
	const text = `{"id":"c7211406-bf41-4c87-b204-0880dd0973b8"}`
	if got := n.Show(n.Hide(text)); got != text {
		t.Errorf("got %s, want %s", got, text)
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
