package transport

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// sayPieces lets the CLI say texts, which come together, when everything else waits.
func sayPieces(f *memoryCLI, texts ...string) {
	var lines []string
	for _, text := range texts {
		lines = append(lines, deltaLine("null", text)+"\n")
	}
	go func() {
		synctest.Wait()
		f.Raw(strings.Join(lines, ""))
	}()
}

// firstPiece reads a turn up to its first text.
func firstPiece(t *testing.T, turn *Turn) {
	t.Helper()
	for text, err := range turn.Text() {
		if err != nil || text != "1" {
			t.Errorf("got %q, %v", text, err)
		}
		return
	}
}

// Pieces that a turn has taken together, and whose loop was left, are for whoever reads next.
func TestPiecesThatALoopLeavesAreNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{Stream: true})
		sayPieces(f, "1", "2", "3")
		turn := s.Turn(t.Context(), "begin")
		firstPiece(t, turn)
		if frame, err := s.Receive(t.Context()); err != nil || new(TextStream).Next(frame) != "2" {
			t.Errorf("the session received %+v, %v", frame, err)
		}
		f.Say(peertest.ResultLine("fine"))
		var rest []string
		for text, err := range turn.Text() {
			rest = append(rest, text)
			if err != nil {
				t.Error(err)
			}
		}
		if diff := cmp.Diff([]string{"3"}, rest); diff != "" {
			t.Error(diff)
		}
	})
}

// Pieces that a turn has taken together come before what a later turn has received for it.
func TestPiecesComeBeforeWhatALaterTurnHasReceived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{Stream: true})
		sayPieces(f, "1", "2", "3")
		var texts []string
		for text, err := range s.Turn(t.Context(), "begin").Text() {
			if err != nil {
				t.Error(err)
			}
			if texts = append(texts, text); len(texts) == 1 {
				sayLater(f, deltaLine("null", "4"), peertest.ResultLine("one"), peertest.ResultLine("two"))
				if r, err := s.Turn(t.Context(), "another").Result(); err != nil || r.Text() != "two" {
					t.Errorf("result = %+v, %v", r, err)
				}
			}
		}
		if diff := cmp.Diff([]string{"1", "2", "3", "4"}, texts); diff != "" {
			t.Error(diff)
		}
	})
}

// No piece comes after the end of the context, taken or not.
func TestPiecesEndWithTheContextOfTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, f := running(t, &Options{Stream: true})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		sayPieces(f, "1", "2", "3")
		var texts []string
		var last error
		for text, err := range s.Turn(ctx, "begin").Text() {
			if last = err; err == nil {
				texts = append(texts, text)
			}
			cancel()
		}
		if !errors.Is(last, context.Canceled) || len(texts) != 1 {
			t.Errorf("got %q, %v", texts, last)
		}
	})
}

// A mailbox gives pieces of text together, up to a number, and nothing else; with a policy that
// drops messages it gives none.
func TestAMailboxGivesPiecesOfTextTogether(t *testing.T) {
	piece := func() wire.Frame {
		return &wire.StreamEvent{Event: &wire.ContentBlockDeltaEvent{Delta: &wire.TextDelta{Text: "x"}}}
	}
	tests := []struct {
		name   string
		policy FullPolicy
		frames []wire.Frame
		want   int
	}{
		{"nothing", Spill, nil, 0},
		{"another message first", Spill, []wire.Frame{&wire.KeepAlive{}, piece()}, 0},
		{"up to another message", Spill, []wire.Frame{piece(), piece(), &wire.KeepAlive{}, piece()}, 2},
		{"that hold the pipe", Hold, []wire.Frame{piece(), piece()}, 2},
		{"that may be dropped", DropOldest, []wire.Frame{piece(), piece()}, 0},
		{"that may be the last", FailWhenFull, []wire.Frame{piece(), piece()}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := newMailbox(Limits{}.withDefaults(), test.policy)
			for _, f := range test.frames {
				m.tryPut(f, []byte("line"), false)
			}
			var got fifo[laneItem[wire.Frame]]
			m.takePieces(&got)
			if got.size() != test.want {
				t.Fatalf("%d pieces, want %d", got.size(), test.want)
			}
			m.putBack(got.all())
			for i, want := range test.frames {
				if f, err := m.tryTake(); f != want || err != nil {
					t.Errorf("message %d is %v, %v", i, f, err)
				}
			}
			if m.bytes != 0 || m.unread != 0 || !m.idle.Load() {
				t.Errorf("%d bytes, %d messages are left", m.bytes, m.unread)
			}
		})
	}
	m := newMailbox(Limits{}.withDefaults(), Spill)
	for range 2 * maxTogether {
		m.tryPut(piece(), []byte("line"), false)
	}
	var got fifo[laneItem[wire.Frame]]
	if m.takePieces(&got); got.size() != maxTogether {
		t.Errorf("%d pieces, want %d", got.size(), maxTogether)
	}
}
