package transport

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// What a loop over text was given stays as it was, although the memory of the messages is used
// again.
func TestTextsStayWhileMessagesAreReused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{Stream: true})
		done := make(chan []string)
		go func() {
			var texts []string
			for text, err := range s.Turn(t.Context(), "begin").Text() {
				if err != nil {
					t.Error(err)
				}
				texts = append(texts, text)
			}
			done <- texts
		}()
		synctest.Wait()
		var want []string
		for i := range 100 {
			text := fmt.Sprintf("piece %d %s", i, strings.Repeat("\n", i%7))
			want = append(want, text)
			f.Say(strings.Replace(deltaLine("null", text), `"uuid":"u"`, fmt.Sprintf(`"uuid":"00000000-0000-4000-8000-%012d"`, i), 1))
			synctest.Wait()
		}
		f.Say(peertest.ResultLine("fine"))
		if got := <-done; strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("texts = %q, want %q", got, want)
		}
	})
}

// Messages that wait to be used again are short, and few.
func TestSpentMessagesAreShortAndFew(t *testing.T) {
	message := func(text string) *wire.StreamEvent {
		return &wire.StreamEvent{Event: &wire.ContentBlockDeltaEvent{Delta: &wire.TextDelta{Text: text}}}
	}
	p := pieces{box: newMailbox(Limits{}, Spill)}
	p.spend(&wire.ResultSuccess{})
	p.spend(message(strings.Repeat("long", maxShortText)))
	owes := message("short")
	owes.OwedRows = []string{"long"}
	p.spend(owes)
	if len(p.spent) != 0 {
		t.Errorf("these wait: %+v", p.spent)
	}
	for range 2*maxSpent + 1 {
		p.spend(message("short"))
	}
	p.giveSpent()
	if got := len(p.box.spent.frames); got != maxSpent {
		t.Errorf("%d messages wait, want %d", got, maxSpent)
	}
}
