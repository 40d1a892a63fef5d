package recording

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLinesAreThoseOfTheWireWhateverTheWritesWere(t *testing.T) {
	entries := []Entry{
		{Dir: Header},
		Written(ToCLI, []byte("{\"a\":1}\n{\"b\"")),
		Written(ToSDK, []byte("from the CLI\n")),
		Written(ToCLI, []byte(":\"\xff\"}\n")),
		{Dir: ToCLI, Line: "only the start", Truncated: 100_000},
		{Dir: EOF},
		Written(ToCLI, []byte("the end")),
		{Dir: Exit},
	}
	got, err := Lines(entries)
	if err != nil {
		t.Fatal(err)
	}
	want := []Line{
		{Entry: 1, Dir: ToCLI, Text: []byte(`{"a":1}`)},
		{Entry: 2, Dir: ToSDK, Text: []byte("from the CLI")},
		{Entry: 3, Dir: ToCLI, Text: []byte("{\"b\":\"\xff\"}")},
		{Entry: 7, Dir: ToCLI, Text: []byte("the end")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if _, err := Lines([]Entry{{Dir: ToCLI, Base64: "?"}}); err == nil {
		t.Error("what is not base64 is accepted")
	}
}

func TestRepliesAreMatchedWithTheRequestsOfTheOtherSide(t *testing.T) {
	entries := []Entry{
		{Dir: ToCLI, Line: `{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}`},
		{Dir: ToSDK, Line: `{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool"}}`},
		{Dir: ToSDK, Line: `{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"a":1}}}`},
		{Dir: ToCLI, Line: `{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"b":2}}}`},
		{Dir: ToCLI, Line: `{"type":"control_response","response":{"subtype":"error","request_id":"1","error":"no"}}`},
		{Dir: ToSDK, Line: `{"type":"control_response","response":{"subtype":"success","request_id":"2","response":{}}}`},
		{Dir: ToCLI, Line: `{"type":"control\u005frequest","request_id":"3","request":{"subtype":"interrupt"}}`},
		{Dir: ToSDK, Line: `{"type":"\u0063ontrol_response","response":{"subtype":"success","request_id":"3","response":{}}}`},
	}
	lines, err := Lines(entries)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range lines {
		got = append(got, l.Answers+" "+string(l.Body))
	}
	want := []string{" ", " ", `initialize {"a":1}`, `can_use_tool {"b":2}`, " ", " ", " ", "interrupt {}"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestAReplyNeverAnswersARequestOfAnotherSession(t *testing.T) {
	entries := []Entry{
		{Dir: Header},
		{Dir: ToCLI, Line: `{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}`},
		{Dir: ToSDK, Line: `{"type":`, Unterminated: true},
		{Dir: Header},
		{Dir: ToSDK, Line: `{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"a":1}}}`},
		{Dir: ToCLI, Line: `{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}`},
		{Dir: ToSDK, Line: `{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"b":2}}}`},
	}
	lines, err := Lines(entries)
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		Entry   int
		Answers string
		Outcome Outcome
	}
	var got []line
	for _, l := range lines {
		got = append(got, line{l.Entry, l.Answers, l.Outcome})
	}
	want := []line{{1, "", ""}, {2, "", ""}, {4, "", ""}, {5, "", Success}, {6, "interrupt", ""}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
