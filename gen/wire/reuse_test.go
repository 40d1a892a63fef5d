package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A frame in the memory of another one has nothing of it, and strings of that one are untouched.
func TestAFrameThatIsReusedIsReadAsAnyOther(t *testing.T) {
	for name, line := range deltas {
		t.Run(name, func(t *testing.T) {
			d := learned(line, nil)
			said := map[string]string{} // strings of frames that were given back, by a copy
			var last Frame
			for i, text := range []string{"", "x", "other text", `with \"escapes\" \u00e9`, "é", strings.Repeat("long ", 100), strings.Repeat(`\n`, 200), "end"} {
				if last != nil {
					d.Reuse(last)
				}
				other := strings.Replace(strings.Replace(line, piece, text, 1), "7c0f2f0e", fmt.Sprintf("%08x", i), 1)
				got, err := d.Decode([]byte(other))
				if err != nil {
					t.Fatal(err)
				}
				want, err := general(other, nil)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%q: %s", text, diff)
				}
				if name == "text" && i > 0 && got != last {
					t.Errorf("%q: the frame is in new memory", text)
				}
				frame := got.(*StreamEvent)
				said[strings.Clone(frame.UUID)] = frame.UUID
				if delta, ok := frame.Event.(*ContentBlockDeltaEvent).Delta.(*TextDelta); ok {
					said[strings.Clone(delta.Text)] = delta.Text
				}
				last = got
			}
			for was, is := range said {
				if was != is {
					t.Errorf("a string has become %q, was %q", is, was)
				}
			}
		})
	}
}

func TestReuseTakesAnyFrame(t *testing.T) {
	d := learned(delta, nil)
	d.Reuse(nil)
	d.Reuse(&SystemInit{})
	d.Reuse(&StreamEvent{Event: &MessageStopEvent{}})
	d.Reuse(&StreamEvent{Event: &ContentBlockDeltaEvent{Delta: &ThinkingDelta{}}})
	given := map[Frame]bool{}
	for range 2 * maxSpares {
		f := &StreamEvent{Event: &ContentBlockDeltaEvent{Delta: &TextDelta{}}}
		given[f] = true
		d.Reuse(f)
	}
	reused := 0
	for range 2 * maxSpares {
		f, err := d.Decode([]byte(delta))
		if err != nil {
			t.Fatal(err)
		}
		if given[f] {
			reused++
		}
	}
	if reused != maxSpares {
		t.Errorf("%d frames were kept, want %d", reused, maxSpares)
	}
}
