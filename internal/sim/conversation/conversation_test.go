package conversation_test

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/conversation"
)

func text(s string) object.Object { return object.Of("type", "text", "text", s) }

// shown is the conversation as the model is asked.
func shown(c *conversation.Conversation) string {
	var q fakeapi.Ask
	conversation.Ask(&q, c.Messages())
	var b strings.Builder
	for _, m := range q.Messages {
		b.WriteString(m.Role + ":")
		for _, block := range m.Content {
			b.WriteString(block.Text + ",")
		}
		b.WriteString(" ")
	}
	return b.String()
}

func TestBlocksOfOneRoleAreOneMessage(t *testing.T) {
	var c conversation.Conversation
	c.Add("user", text("one"))
	c.Add("user", text("two"))
	c.Add("assistant", text("three"))
	if got, want := shown(&c), "user:one,two, assistant:three, system: "; got != want {
		t.Errorf("the model is asked %q, want %q", got, want)
	}
}

func TestARewindTakesBackTheMessageAndWhatFollowed(t *testing.T) {
	var c conversation.Conversation
	say := func(uuid, said, line string) {
		c.Mark(uuid, said)
		c.Add("user", text(said))
		c.Add("assistant", text("answer to "+said))
		c.Spoke(line)
	}
	say("a", "first", "line 1")
	say("b", "second", "line 2")
	say("c", "third", "line 3")
	for _, test := range []struct {
		name, target, seen string
		want               error
	}{
		{"a message that is not there", "nobody", "", conversation.ErrNoTarget},
		{"not the last one", "b", "", conversation.ErrStale},
		{"another has come since", "b", "b", conversation.ErrUnseen},
	} {
		if _, _, err := c.Rewind(test.target, test.seen); err != test.want {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	said, before, err := c.Rewind("b", "c")
	if err != nil || said != "second" || before != "line 1" {
		t.Errorf("rewound to %q after %q, %v", said, before, err)
	}
	if got, want := shown(&c), "user:first, assistant:answer to first, system: "; got != want {
		t.Errorf("the model is asked %q, want %q", got, want)
	}
	if _, _, err := c.Rewind("c", ""); err != conversation.ErrNoTarget {
		t.Errorf("a message that was taken back: %v", err)
	}
}
