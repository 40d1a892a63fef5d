package baseline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/conformance/recording"
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
		{"members are in another order", []string{result}, []string{`{"subtype":"success","type":"result","n":1}`},
			[]string{`entry 1, result/success: / is {"subtype":"success","type":"result","n":1}, it was ` + result}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			differences := Compare(entries(tt.was), entries(tt.is))
			var got []string
			for i := range differences {
				got = append(got, differences[i].String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
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

func entries(lines []string) (list []recording.Entry) {
	for _, l := range lines {
		list = append(list, recording.Entry{Dir: recording.ToSDK, Line: l})
	}
	return list
}
