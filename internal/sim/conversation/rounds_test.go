package conversation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/sim/conversation"
)

func TestACompactionKeepsTheLastRounds(t *testing.T) {
	for _, test := range []struct {
		name   string
		rounds int
		tail   []string
		shown  string
		after  int // rounds
	}{
		{"none", 0, nil, "user:short, system: ", 1},
		{"one", 1, []string{"a2", "p2"}, "user:short, assistant:two, user:go on, system: ", 2},
		{"two", 2, []string{"a1", "a1b", "r1", "a2", "p2"}, "user:short, assistant:one, user:used, assistant:two, user:go on, system: ", 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			var c conversation.Conversation
			say := func(role, words, message string, uuids ...string) {
				c.Add(role, text(words))
				for _, uuid := range uuids {
					c.Line(uuid, message)
				}
			}
			say("user", "begin", "", "p1")
			say("assistant", "one", "m1", "a1", "a1b")
			say("user", "used", "", "r1")
			say("assistant", "two", "m2", "a2")
			say("user", "go on", "", "p2")
			if got := c.Rounds(); got != 3 {
				t.Errorf("%d rounds, want 3", got)
			}
			if diff := cmp.Diff(test.tail, c.Tail(test.rounds)); diff != "" {
				t.Errorf("the lines that are kept (-want +got):\n%s", diff)
			}
			c.Compact("s", text("short"), test.rounds)
			if got := shown(&c); got != test.shown {
				t.Errorf("the model is asked %q, want %q", got, test.shown)
			}
			if got := c.Rounds(); got != test.after {
				t.Errorf("%d rounds afterwards, want %d", got, test.after)
			}
		})
	}
}
