package baseline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

func TestCompareNamesWhatDiffers(t *testing.T) {
	const (
		init   = `{"type":"system","subtype":"init","model":"m","tools":["a"]}`
		result = `{"type":"result","subtype":"success","n":1}`
	)
	for _, tt := range []struct {
		name    string
		was, is []string
		want    []string
	}{
		{"equal", []string{init, result}, []string{init, result}, nil},
		{"a line is missing", []string{init, result}, []string{result}, []string{"entry 1, system/init: the line is missing"}},
		{"a line is doubled", []string{init, result}, []string{init, result, result},
			[]string{"entry 2, result/success: the line is not in the recording: " + result}},
		{"lines are swapped", []string{init, result}, []string{result, init},
			[]string{"entry 1, system/init: the line is missing", "entry 2, system/init: the line is not in the recording: " + init}},
		{"a member is missing", []string{init}, []string{`{"type":"system","subtype":"init","tools":["a"]}`},
			[]string{`entry 1, system/init: /model is missing, it was "m"`}},
		{"a member is new", []string{result}, []string{`{"type":"result","subtype":"success","n":1,"a/b":true}`},
			[]string{`entry 1, result/success: /a~1b is true, it was not there`}},
		{"a member has another value", []string{init}, []string{`{"type":"system","subtype":"init","model":"m","tools":["b"]}`},
			[]string{`entry 1, system/init: /tools/0 is "b", it was "a"`}},
		{"a number is written otherwise", []string{result}, []string{`{"type":"result","subtype":"success","n":1.0}`},
			[]string{`entry 1, result/success: /n is 1.0, it was 1`}},
		{"ids, times and dates differ", []string{`{"type":"x","text":"task bqoz8pfo1, commit 0bc5959, 1s, Nov 16 9:30am"}`},
			[]string{`{"type":"x","text":"task bd34nutg7, commit 61290fd, 12s, Dec 1 10:30am"}`}, nil},
		{"what is installed differs", []string{`{"type":"x","dependencies":["a"]}`}, []string{`{"type":"x","dependencies":[]}`}, nil},
		{"a long list has one more", []string{`{"type":"x","list":["` + strings.Repeat("a", 300) + `","b"]}`}, []string{`{"type":"x","list":["` + strings.Repeat("a", 300) + `"]}`},
			[]string{`entry 1, x: /list is ["` + strings.Repeat("a", 198) + `…, it was ["` + strings.Repeat("a", 198) + `…`}},
		{"members are in another order", []string{result}, []string{`{"subtype":"success","type":"result","n":1}`},
			[]string{`entry 1, result/success: / is {"subtype":"success","type":"result","n":1}, it was ` + result}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, texts(Compare(entries(tt.was), entries(tt.is)))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestCompareLooksAtTheExitAndTheModel(t *testing.T) {
	zero, one := 0, 1
	was := []recording.Entry{{Dir: recording.API, Number: 1, Line: `{"messages":2}`}, {Dir: recording.API, Total: &one}, {Dir: recording.Exit, Code: &zero}}
	is := []recording.Entry{{Dir: recording.API, Number: 1, Line: `{"messages":3}`}, {Dir: recording.API, Total: &one}, {Dir: recording.Exit, Code: &one}}
	if got := Compare(was, is); len(got) != 2 || got[0].Path != "/messages" || got[1].Kind != "exit" {
		t.Errorf("got %v", got)
	}
}

// id is the stand-in of an id.
func id(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

func TestIDsAreComparedByWhereTheyAre(t *testing.T) {
	line := func(kind string, ids ...int) string {
		text := `{"type":"` + kind + `"`
		for i, n := range ids {
			text += fmt.Sprintf(`,"id%d":%q`, i, id(n))
		}
		return text + "}"
	}
	was := []string{line("a", 1, 2), line("b", 1, 3), line("c", 3)}
	for _, tt := range []struct {
		name string
		is   []string
		want []string
	}{
		{"a line more", []string{line("new", 1), line("a", 2, 3), line("b", 2, 4), line("c", 4)},
			[]string{"entry 1, new: the line is not in the recording: " + line("new", 1)}},
		{"another id in one place", []string{line("a", 1, 2), line("b", 3, 4), line("c", 4)},
			[]string{fmt.Sprintf("entry 2, b: /id0 is %q, it was %q", id(3), id(1))}},
		{"one id for two", []string{line("a", 1, 1), line("b", 1, 2), line("c", 2)},
			[]string{fmt.Sprintf("entry 1, a: /id1 is %q, it was %q", id(1), id(2))}},
		{"no id", []string{line("a", 1, 2), line("b", 1, 3), `{"type":"c","id0":"x"}`},
			[]string{fmt.Sprintf("entry 3, c: /id0 is \"x\", it was %q", id(3))}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, texts(Compare(entries(was), entries(tt.is)))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestWhatVariesIsNoDifference(t *testing.T) {
	const (
		text   = `{"type":"assistant","text":"a"}`
		result = `{"type":"result","subtype":"success","n":1,"list":[{"x":1},{"x":2}]}`
		other  = `{"type":"result","subtype":"success","n":1,"list":[{"x":1},{"x":3}]}`
	)
	line := scenario.Variation{Kind: "assistant"}
	member := scenario.Variation{Kind: "result/success", Path: "/list/*/x"}
	for _, tt := range []struct {
		name    string
		was, is []string
		varies  []scenario.Variation
		want    []string
	}{
		{"a line is missing", []string{text, result}, []string{result}, []scenario.Variation{line}, nil},
		{"a line is more", []string{text, result}, []string{text, text, result}, []scenario.Variation{line}, nil},
		{"a line is elsewhere", []string{text, result}, []string{result, text}, []scenario.Variation{line}, nil},
		{"more lines are elsewhere than those that are not", []string{text, text, result}, []string{result, text, text}, []scenario.Variation{line}, nil},
		{"a line is elsewhere and has another value", []string{text, result}, []string{result, `{"type":"assistant","text":"b"}`}, []scenario.Variation{line},
			[]string{`entry 1, assistant: /text is "b", it was "a"`}},
		{"two lines are swapped", []string{text, `{"type":"assistant","text":"b"}`, result}, []string{`{"type":"assistant","text":"b"}`, text, result}, []scenario.Variation{line}, nil},
		{"a line of another kind is missing", []string{text, result}, []string{text}, []scenario.Variation{line, member}, []string{"entry 2, result/success: the line is missing"}},
		{"a member", []string{result}, []string{other}, []scenario.Variation{member}, nil},
		{"another member", []string{result}, []string{other}, []scenario.Variation{{Kind: "result/success", Path: "/list/0/x"}, {Kind: "result/success", Path: "/n"}},
			[]string{`entry 1, result/success: /list/1/x is 3, it was 2`}},
		{"a member of another kind", []string{result}, []string{other}, []scenario.Variation{{Kind: "result/error", Path: "/list/*/x"}},
			[]string{`entry 1, result/success: /list/1/x is 3, it was 2`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, texts(Compare(entries(tt.was), entries(tt.is), tt.varies...))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestMirroredEntriesAreComparedAsASet(t *testing.T) {
	line := func(entries ...string) string {
		return `{"type":"transcript_mirror","filePath":"/f.jsonl","entries":[` + strings.Join(entries, ",") + `]}`
	}
	const result = `{"type":"result","subtype":"success"}`
	message := func(n int, text string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"text":%q}`, id(n), text)
	}
	state := func(n int) string { return fmt.Sprintf(`{"type":"last-prompt","leafUuid":%q}`, id(n)) }
	was := []string{line(message(1, "a"), message(2, "b"), state(2)), result}
	for _, tt := range []struct {
		name string
		is   []string
		want []string
	}{
		{"in other lines", []string{line(message(1, "a")), result, line(message(2, "b"), state(2))}, nil},
		{"equal ones with other ids first", []string{line(message(9, "b"), message(8, "a"), state(9)), result}, nil},
		{"the state again", []string{line(message(1, "a"), state(1)), line(message(2, "b"), state(2)), result}, nil},
		{"one is missing", []string{line(message(1, "a"), state(1)), result},
			[]string{`entry 1, transcript_mirror/user: the line is missing`}},
		{"one has another value", []string{line(message(1, "a"), message(2, "c"), state(1)), result},
			[]string{`entry 1, transcript_mirror/user: /entry/text is "c", it was "b"`}},
		{"one is in another file", []string{line(message(1, "a"), state(1)), strings.Replace(line(message(2, "b")), "/f", "/g", 1), result},
			[]string{`entry 1, transcript_mirror/user: /filePath is "/g.jsonl", it was "/f.jsonl"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			exit := recording.Entry{Dir: recording.Exit}
			if diff := cmp.Diff(tt.want, texts(Compare(append(entries(was), exit), append(entries(tt.is), exit)))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestOfALineThatIsCutOnlyTheLengthIsCompared(t *testing.T) {
	cut := func(line string, length int) []recording.Entry {
		return []recording.Entry{{Dir: recording.ToSDK, Line: line, Truncated: length}}
	}
	if got := Compare(cut(`{"type":"a","id":"1`, 70000), cut(`{"type":"a","id":"2`, 70000)); got != nil {
		t.Errorf("got %v", got)
	}
	if got := Compare(cut(`{"type":"a`, 70000), cut(`{"type":"a`, 80000)); len(got) != 1 {
		t.Errorf("got %v, want one difference", got)
	}
}

func texts(differences []Difference) (list []string) {
	for i := range differences {
		list = append(list, differences[i].String())
	}
	return list
}

func entries(lines []string) (list []recording.Entry) {
	for _, l := range lines {
		list = append(list, recording.Entry{Dir: recording.ToSDK, Line: l})
	}
	return list
}
