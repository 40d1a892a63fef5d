package queue_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/output"
	"github.com/ccwire/ccwire/internal/sim/queue"
	"github.com/ccwire/ccwire/internal/sim/release"
)

// told runs f with a queue and returns what it has written: the state or the kind of each line, and
// the message's id.
func told(t *testing.T, replays bool, f func(q *queue.Queue)) (lines []string) {
	t.Helper()
	var b bytes.Buffer
	w := output.New(&b)
	f(queue.New(output.NewSession(w, release.Newest()), replays))
	w.Close()
	for line := range strings.Lines(b.String()) {
		v, err := object.Parse([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		o := v.(object.Object)
		switch o.Text("type") {
		case "command_lifecycle":
			lines = append(lines, o.Text("state")+" "+o.Text("command_uuid"))
		default:
			lines = append(lines, o.Text("type")+" "+o.Text("uuid"))
		}
	}
	return lines
}

func TestAMessageThatHasComeBeforeIsRepeatedAndNotQueued(t *testing.T) {
	for _, test := range []struct {
		replays bool
		want    []string
	}{
		{true, []string{"queued a", "user a"}},
		{false, []string{"queued a"}},
	} {
		got := told(t, test.replays, func(q *queue.Queue) {
			q.Take(&queue.Prompt{Content: "hello", UUID: "a"})
			q.Take(&queue.Prompt{Content: "hello", UUID: "a"})
			if n := len(q.Next(false)); n != 1 {
				t.Errorf("%d messages wait, want 1", n)
			}
		})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("replays %v: %s", test.replays, diff)
		}
	}
}

func TestAMessageOfAnEarlierProcessIsDoneWith(t *testing.T) {
	got := told(t, false, func(q *queue.Queue) {
		q.Recall("a")
		q.Take(&queue.Prompt{Content: "hello", UUID: "a"})
		if n := len(q.Next(false)); n != 0 {
			t.Errorf("%d messages wait, want none", n)
		}
	})
	if diff := cmp.Diff([]string{"completed a"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyMessagesWithAnIDAreCancelled(t *testing.T) {
	for _, test := range []struct {
		only      []string
		cancelled []string
		left      []string
	}{
		{nil, []string{"a", "b"}, []string{}},
		{[]string{"b", "c"}, []string{"b"}, []string{"a"}},
		{[]string{}, []string{}, []string{"a", "b"}},
	} {
		told(t, false, func(q *queue.Queue) {
			for _, id := range []string{"a", "", "b"} {
				q.Add(&queue.Prompt{UUID: id})
			}
			if diff := cmp.Diff(test.cancelled, q.Cancel(test.only)); diff != "" {
				t.Errorf("cancelled of %q: %s", test.only, diff)
			}
			if diff := cmp.Diff(test.left, q.UUIDs()); diff != "" {
				t.Errorf("left of %q: %s", test.only, diff)
			}
			q.End()
			if q.Done() {
				t.Error("the queue is done, and a message without an id waits")
			}
		})
	}
}

func TestATurnTakesTheMessagesOfTheHighestPriority(t *testing.T) {
	for _, tt := range []struct {
		name  string
		take  func(*queue.Queue) []*queue.Prompt
		taken []string
		left  []string
	}{
		{"after a turn", func(q *queue.Queue) []*queue.Prompt { return q.Next(false) }, []string{"b", "c"}, []string{"a"}},
		{"when nothing was done", func(q *queue.Queue) []*queue.Prompt { return q.Next(true) }, []string{"b"}, []string{"a", "c"}},
		{"in a turn", (*queue.Queue).Meanwhile, []string{"b", "c"}, []string{"a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			told(t, false, func(q *queue.Queue) {
				q.Add(&queue.Prompt{UUID: "a", Priority: "later"})
				q.Add(&queue.Prompt{UUID: "b"})
				q.Add(&queue.Prompt{UUID: "c", Priority: "next"})
				taken := []string{}
				for _, p := range tt.take(q) {
					taken = append(taken, p.UUID)
				}
				if diff := cmp.Diff(tt.taken, taken); diff != "" {
					t.Error("taken: " + diff)
				}
				if diff := cmp.Diff(tt.left, q.UUIDs()); diff != "" {
					t.Error("left: " + diff)
				}
			})
		})
	}
}
