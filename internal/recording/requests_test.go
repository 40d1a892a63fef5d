package recording

import "testing"

func TestAReplyAnswersTheOldestRequestWithItsIDThatHasNone(t *testing.T) {
	var r Requests[string]
	if got, ok := r.Answer("1", nil); ok {
		t.Errorf("a reply to nothing answers %q", got)
	}
	r.Ask("1", "first")
	r.Ask("2", "other")
	r.Ask("1", "second")
	for _, want := range []string{"first", "second", "second"} { // some versions reply once more
		if got, ok := r.Answer("1", nil); !ok || got != want {
			t.Errorf("got %q, %v, want %q", got, ok, want)
		}
	}
	r.Ask("1", "third")
	if got, _ := r.Answer("1", nil); got != "third" {
		t.Errorf("got %q after another request", got)
	}
}

func TestARepliesBodyTellsWhichOfTwoRequestsWithItsIDItAnswers(t *testing.T) {
	ask := func(subtype string) Entry {
		return Entry{Dir: ToCLI, Line: `{"type":"control_request","request_id":"1","request":{"subtype":"` + subtype + `"}}`}
	}
	reply := func(body string) Entry {
		return Entry{Dir: ToSDK, Line: `{"type":"control_response","response":{"subtype":"success","request_id":"1","response":` + body + `}}`}
	}
	lines, err := Lines([]Entry{
		ask("get_session_cost"), ask("mcp_status"), ask("set_permission_mode"),
		reply(`{"mcpServers":[]}`), reply(`{"mode":"plan"}`), reply(`{"text":""}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"mcp_status", "set_permission_mode", "get_session_cost"} {
		if got := lines[3+i].Answers; got != want {
			t.Errorf("reply %d answers %q, want %q", i+1, got, want)
		}
	}
}

func TestLinesSayHowARequestWasAnswered(t *testing.T) {
	ask := func(id string) Entry {
		return Entry{Dir: ToCLI, Line: `{"type":"control_request","request_id":"` + id + `","request":{"subtype":"x"}}`}
	}
	reply := func(id, rest string) Entry {
		return Entry{Dir: ToSDK, Line: `{"type":"control_response","response":{"request_id":"` + id + `",` + rest + `}}`}
	}
	lines, err := Lines([]Entry{
		ask("1"), ask("2"), ask("3"), ask("4"), ask("5"),
		reply("1", `"subtype":"success"`),
		reply("2", `"subtype":"error","error":"no such server"`),
		reply("3", `"subtype":"error","error":"Unsupported control request subtype: x"`),
		reply("5", `"subtype":"error","error":"no"`), reply("5", `"subtype":"success"`),
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Outcome{Success, Failure, Unsupported, "", Success} {
		if l := lines[i]; l.Outcome != want || l.Asks != "x" {
			t.Errorf("request %d for %q: %q, want %q", i+1, l.Asks, l.Outcome, want)
		}
	}
}
