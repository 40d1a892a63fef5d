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

// Messages that wait to be used again hold nothing of what they were.
func TestSpentMessagesAreEmptyAndFew(t *testing.T) {
	var s spent
	for range 2 * maxSpent {
		s.add(&wire.StreamEvent{UUID: "u", Event: &wire.ContentBlockDeltaEvent{Index: 1, Delta: &wire.TextDelta{Text: "long"}}})
	}
	s.add(&wire.ResultSuccess{})
	if len(s.frames) != maxSpent {
		t.Fatalf("%d messages wait, want %d", len(s.frames), maxSpent)
	}
	for _, f := range s.frames {
		e := f.(*wire.StreamEvent)
		event := e.Event.(*wire.ContentBlockDeltaEvent)
		if e.UUID != "" || event.Index != 0 || event.Delta.(*wire.TextDelta).Text != "" {
			t.Fatalf("it holds %+v", e)
		}
	}
}
