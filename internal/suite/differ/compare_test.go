package differ

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// session is the view of a session in which a CLI wrote these lines.
func session(lines ...string) *view {
	zero := 0
	p := &suite.Played{Vars: scenario.Vars{"cwd": "/tmp/ccwire-1/cwd"}}
	for _, l := range lines {
		p.Entries = append(p.Entries, recording.Entry{Dir: recording.ToSDK, Line: l})
	}
	p.Entries = append(p.Entries, recording.Entry{Dir: recording.Exit, Code: &zero})
	return viewOf("2.1.325", p)
}

const (
	initLine   = `{"type":"system","subtype":"init","model":"m","tools":["Read","Write"],"session_id":"11111111-1111-4111-8111-111111111111"}`
	resultLine = `{"type":"result","subtype":"success","result":"Fine.","total_cost_usd":0.5,"duration_ms":7,"session_id":"11111111-1111-4111-8111-111111111111"}`
	askLine    = `{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"}}}`
)

func TestWhatTheUserSeesIsCompared(t *testing.T) {
	again := func(line, old, new string) string {
		if !strings.Contains(line, old) {
			t.Fatalf("%s has no %s", line, old)
		}
		return strings.Replace(line, old, new, 1)
	}
	other := "22222222-2222-4222-8222-222222222222"
	real := []string{initLine, askLine, resultLine}
	for _, tt := range []struct {
		name      string
		simulated []string
		want      []string
	}{
		{"the same", real, nil},
		{"other ids and times", []string{again(initLine, "11111111-1111-4111-8111-111111111111", other), again(askLine, `"1"`, `"2"`),
			again(again(resultLine, "11111111-1111-4111-8111-111111111111", other), ":7", ":9")}, nil},
		{"another id in one place", []string{initLine, askLine, again(resultLine, "11111111-1111-4111-8111-111111111111", other)}, []string{"result/success /session_id"}},
		{"a callback that comes later", []string{initLine, resultLine, askLine}, nil},
		{"a list in another order", []string{again(initLine, `"Read","Write"`, `"Write","Read"`), askLine, resultLine}, nil},
		{"a list with others", []string{again(initLine, `"Read","Write"`, `"Read","Edit"`), askLine, resultLine}, []string{"system/init /tools"}},
		{"a line is missing", []string{initLine, resultLine}, []string{"control_request/can_use_tool "}},
		{"a line is doubled", []string{initLine, askLine, resultLine, resultLine}, []string{"result/success "}},
		{"a member is missing", []string{again(initLine, `"model":"m",`, ""), askLine, resultLine}, []string{"system/init /model"}},
		{"a member is new", []string{initLine, askLine, again(resultLine, `"result":`, `"more":1,"result":`)}, []string{"result/success /more"}},
		{"another cost", []string{initLine, askLine, again(resultLine, "0.5", "0.6")}, []string{"result/success /total_cost_usd"}},
		{"another text", []string{initLine, askLine, again(resultLine, "Fine.", "Bad.")}, []string{"result/success /result"}},
		{"messages in another order", []string{resultLine, askLine, initLine}, []string{"system/init ", "system/init "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, d := range compare(session(real...), session(tt.simulated...), nil) {
				got = append(got, d.Kind+" "+d.Path)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestTheStandardErrorIsCompared(t *testing.T) {
	code := 1
	ended := func(stderr string) *view {
		return viewOf("2.1.325", &suite.Played{Entries: []recording.Entry{{Dir: recording.Exit, Code: &code, Stderr: stderr}}})
	}
	for _, tt := range []struct {
		real, simulated string
		differences     int // prose counts
	}{
		{"", "", 0},
		{"[warning] x\n", "[warning] x\n", 0},
		{"[warning] x\n", "", 1},
		{"", "[warning] x\n[more] y\n", 2},
	} {
		if got := compare(ended(tt.real), ended(tt.simulated), nil); len(got) != tt.differences {
			t.Errorf("%q and %q: %v, want %d differences", tt.real, tt.simulated, got, tt.differences)
		}
	}
}

func TestCallbacksOfToolsUsedAtOnceHaveNoOrder(t *testing.T) {
	ask := func(id string) string {
		return strings.Replace(askLine, `"subtype"`, `"tool_use_id":"`+id+`","subtype"`, 1)
	}
	hook := func(id, event string) string {
		return `{"type":"control_request","request_id":"2","request":{"subtype":"hook_callback","callback_id":"c","input":{"hook_event_name":"` +
			event + `","tool_use_id":"` + id + `"}}}`
	}
	one, two := "toolu_0001_0", "toolu_0001_1"
	real := session(ask(one), ask(two), hook(one, "PreToolUse"), hook(two, "PreToolUse"), hook(one, "PostToolUse"))
	if got := compare(real, session(ask(two), ask(one), hook(two, "PreToolUse"), hook(one, "PreToolUse"), hook(one, "PostToolUse")), nil); len(got) > 0 {
		t.Errorf("the order between two tools counts: %v", got)
	}
	if got := compare(real, session(ask(one), ask(two), hook(one, "PostToolUse"), hook(two, "PreToolUse"), hook(one, "PreToolUse")), nil); len(got) == 0 {
		t.Error("the order of the callbacks for one tool does not count")
	}
}

func TestOtherWordsForTheSameFactsAreProse(t *testing.T) {
	for _, tt := range []struct {
		path, real, simulated string
		want                  bool
	}{
		{"/message", "The file a.txt was written to disk.", "Wrote the new file a.txt.", true},
		{"/message", "The file a.txt was written to disk.", "Wrote the new file b.txt.", false},
		{"/message", "It ended with code 3 at once.", "It ended with code 4 at once.", false},
		{"/message", "<error>It is not there at all.</error>", "It is not there at all.", false},
		{"/message", "one", "two", false},
		{"/message", "It was written with version 7.5 of it.", "It was written to the disk.", true},
		{"/message", "Your requests all go to 127.0.0.1:0 now.", "The address of the API is another.", true},
		{"/message", "1 2 3 4 5 6", "1 2 3 4 5 7", false},
		{"/commands/a/description", "Does this.", "[prose]", true},
	} {
		line := func(text string) *view {
			parts := strings.Split(tt.path, "/")
			value := fmt.Sprintf("%q:%s", parts[len(parts)-1], quoted(text))
			return session(`{"type":"x",` + value + `}`)
		}
		got := compare(line(tt.real), line(tt.simulated), func(text string) bool { return text != "7.5" })
		if len(got) != 1 || got[0].Prose != tt.want {
			t.Errorf("%q and %q: %v, want prose: %v", tt.real, tt.simulated, got, tt.want)
		}
	}
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string is always valid
	return string(b)
}
