package manual_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/schema"
)

func load(t *testing.T) *manual.Manual {
	t.Helper()
	m, err := manual.Load()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestEveryDefinitionHasItsEntry(t *testing.T) {
	m := load(t)
	listed := map[*manual.Entry]int{}
	for _, a := range m.Areas {
		for _, topic := range a.Topics {
			for _, e := range topic.Entries {
				listed[e]++
			}
		}
	}
	for _, set := range []*schema.Set{schema.Default(), schema.Transcripts()} {
		for _, d := range set.Definitions() {
			e := m.Entry(d.Name())
			switch {
			case e == nil || listed[e] != 1:
				t.Errorf("%s is in the manual %d times", d.Name(), listed[e])
			case len(e.Members) != len(d.Properties):
				t.Errorf("%s has %d members in the manual", d.Name(), len(e.Members))
			case d.Description == "":
				t.Errorf("%s has no description", d.Name())
			}
		}
	}
}

func TestEveryExampleIsValid(t *testing.T) {
	m := load(t)
	recorded := 0
	for _, d := range m.Set().Definitions() {
		e := m.Entry(d.Name())
		if err := m.Set().Open().Validate(d.Name(), e.Example()); err != nil {
			t.Errorf("%s: %s: %v", d.Name(), e.Source(), err)
		}
		if e.Shown.Example != nil {
			recorded++
		}
	}
	if recorded < 500 {
		t.Errorf("only %d were recorded", recorded)
	}
}

func TestLinksLeadBothWays(t *testing.T) {
	m := load(t)
	for _, d := range m.Set().Definitions() {
		e := m.Entry(d.Name())
		for _, used := range e.Uses {
			if !slices.Contains(used.UsedBy, e) {
				t.Errorf("%s uses %s, and not the other way", e.Title(), used.Title())
			}
		}
		if e.Pair != nil && e.Pair.Pair == nil {
			t.Errorf("%s belongs to %s, and not the other way", e.Title(), e.Pair.Title())
		}
	}
	ask := m.Entry("control/can_use_tool.json#/$defs/Request")
	if ask.Pair != m.Entry("control/can_use_tool.json#/$defs/Response") {
		t.Errorf("can_use_tool is answered by %v", ask.Pair)
	}
}

func TestATopicIsFoundByTheWordsThatPeopleUse(t *testing.T) {
	m := load(t)
	for word, want := range map[string]string{
		"can_use_tool":                          "control/can_use_tool",
		"control/can_use_tool":                  "control/can_use_tool",
		"control/can_use_tool.json":             "control/can_use_tool",
		"hook/PreToolUse":                       "hook/PreToolUse",
		"pretooluse":                            "hook/PreToolUse",
		"init":                                  "message/system.init",
		"wire.CanUseToolRequest":                "control/can_use_tool",
		"text_delta":                            "content/delta.text_delta",
		"Bash":                                  "tool/Bash",
		"user":                                  "message/user",
		"transcript/user":                       "transcript/user",
		"control/interrupt.json#/$defs/Request": "control/interrupt",
	} {
		topic, _ := m.Topic(word)
		if topic == nil || topic.ID() != want {
			t.Errorf("%s: got %v, want %s", word, topic, want)
		}
	}
	for _, word := range []string{"", "no_such_thing"} {
		if topic, _ := m.Topic(word); topic != nil {
			t.Errorf("%q is %s", word, topic.ID())
		}
	}
	if places := m.Members("permission_suggestions"); len(places) == 0 || places[0].Entry.Topic.Name != "can_use_tool" {
		t.Errorf("permission_suggestions is at %v", places)
	}
}

func TestEveryRequestIsShownAsTheWholeLineWithItsAnswer(t *testing.T) {
	m := load(t)
	type line struct {
		Type     string
		ID       string `json:"request_id"`
		Response struct {
			ID string `json:"request_id"`
		}
	}
	requests, recorded := 0, 0
	for _, a := range m.Areas {
		for _, topic := range a.Topics {
			for _, e := range topic.Entries {
				x := e.Exchange()
				if x == nil {
					continue
				}
				requests++
				if strings.HasPrefix(x.Source, "Recorded") {
					recorded++
				}
				var request, answer line
				if err := json.Unmarshal(x.Request, &request); err != nil || request.Type != "control_request" || request.ID == "" {
					t.Errorf("%s is asked with %s", topic.ID(), x.Request)
				}
				if err := json.Unmarshal(x.Answer, &answer); err != nil || answer.Type != "control_response" || answer.Response.ID != request.ID {
					t.Errorf("%s is answered with %s", topic.ID(), x.Answer)
				}
			}
		}
	}
	if requests < 100 || recorded < 50 {
		t.Errorf("%d requests, %d of them recorded", requests, recorded)
	}
}

func TestTheCoreComesFirst(t *testing.T) {
	m := load(t)
	for name, want := range map[string]manual.Grade{
		"control/initialize": manual.Always, "control/can_use_tool": manual.Common, "control/read_file": manual.Rare,
		"control/remote_control_work_secret": manual.Never, "host/ui_message": manual.Hosts,
	} {
		topic, _ := m.Topic(name)
		if topic == nil {
			t.Fatalf("there is no %s", name)
		}
		if got := topic.Grade(); got != want {
			t.Errorf("%s is met %v, want %v", name, got, want)
		}
	}
	for _, a := range m.Areas {
		if !slices.IsSortedFunc(a.Topics, func(a, b *manual.Topic) int { return int(a.Grade() - b.Grade()) }) {
			t.Errorf("%s has the core not first", a.Name)
		}
		for _, topic := range a.Topics {
			for _, e := range topic.Entries {
				optional := slices.IndexFunc(e.Members, func(m manual.Member) bool { return !m.Required && !m.ToSend })
				if optional >= 0 && slices.ContainsFunc(e.Members[optional:], func(m manual.Member) bool { return m.Required || m.ToSend }) {
					t.Errorf("%s: a member that must be there comes after one that may", e.Title())
				}
			}
		}
	}
}
