package transport

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestMessagesAreEverythingButControlTraffic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		messages := []string{
			peertest.KeepAliveLine,
			`{"type":"brand_new","x":1}`,
			`{"type":"system","subtype":"status","status":null,"session_id":"s","uuid":"u"}`,
			`{"type":"user","message":{"role":"user","content":"hi"}}`,
		}
		p.Say(messages[0], peertest.SuccessLine("orphan", ""), messages[1], peertest.CancelLine("x"), messages[2], peertest.RequestLine("r", peertest.InterruptBody), messages[3])
		p.End()
		var got []string
		for f, err := range c.Messages() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, peertest.Encode(t, f))
		}
		if diff := cmp.Diff(messages, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestMessagesGoOnAfterABreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		p.Say(peertest.KeepAliveLine, peertest.KeepAliveLine, peertest.KeepAliveLine)
		p.End()
		count := 0
		for range c.Messages() {
			count++
			break
		}
		for range c.Messages() {
			count++
		}
		if count != 3 {
			t.Errorf("%d messages", count)
		}
	})
}

func TestNoiseIsAnEventAndHarmsNothing(t *testing.T) {
	tests := []struct {
		name, line string
		want       NoiseEvent
		delivered  bool
	}{
		{"text", "Warning: something", NoiseEvent{Kind: codec.TextLine, Text: "Warning: something", Len: 18}, false},
		{"blank", "", NoiseEvent{Kind: codec.BlankLine}, false},
		{"blank with a carriage return", "\r", NoiseEvent{Kind: codec.BlankLine, Notes: codec.CarriageReturn, Len: 1}, false},
		{"number", "5", NoiseEvent{Kind: codec.TextLine, Text: "5", Len: 1}, false},
		{"array", "[1]", NoiseEvent{Kind: codec.TextLine, Text: "[1]", Len: 3}, false},
		{"carriage return", peertest.KeepAliveLine + "\r", NoiseEvent{Kind: codec.ObjectLine, Notes: codec.CarriageReturn, Text: peertest.KeepAliveLine, Len: 22}, true},
		{"byte-order mark", "\ufeff" + peertest.KeepAliveLine, NoiseEvent{Kind: codec.ObjectLine, Notes: codec.ByteOrderMark, Text: peertest.KeepAliveLine, Len: 24}, true},
		{"long text", strings.Repeat("x", 5000), NoiseEvent{Kind: codec.TextLine, Text: strings.Repeat("x", 1024), Len: 5000}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, p := newPeer(t, nil)
				p.Say(test.line)
				if diff := cmp.Diff(test.want, *only[*NoiseEvent](t, c.events)); diff != "" {
					t.Error(diff)
				}
				p.Nothing()
				p.Say(peertest.KeepAliveLine)
				p.End()
				count := 0
				for range c.Messages() {
					count++
				}
				if want := map[bool]int{false: 1, true: 2}[test.delivered]; count != want {
					t.Errorf("%d messages, want %d", count, want)
				}
			})
		})
	}
}

func TestLineOverTheLimitIsSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, &ConnOptions{Limits: Limits{Line: 100}})
		long := `{"type":"keep_alive","x":"` + strings.Repeat("x", 1000) + `"}`
		p.Say(long, peertest.KeepAliveLine)
		if e := only[*OversizeEvent](t, c.events); e.Len != int64(len(long)) || e.Offset != 0 {
			t.Errorf("event = %+v", e)
		}
		if _, err := c.Receive(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestDeviationsAreEventsUnlessUnwanted(t *testing.T) {
	for _, unwanted := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c, p := newPeer(t, &ConnOptions{NoDeviations: unwanted})
			p.Say(peertest.KeepAliveLine, `{"type":"keep_alive","brand_new":1}`)
			if unwanted {
				if events := drain(c.events); len(events) != 0 {
					t.Errorf("events = %+v", events)
				}
				return
			}
			e := only[*DeviationEvent](t, c.events)
			if e.Kind != codec.UnknownMember || e.Path != "/brand_new" || e.LineOffset != int64(len(peertest.KeepAliveLine)+1) {
				t.Errorf("event = %+v", e)
			}
		})
	}
}

func TestSendWritesOneLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		if err := c.Send(t.Context(), &wire.KeepAlive{}); err != nil {
			t.Fatal(err)
		}
		if got := p.One(); got != peertest.KeepAliveLine {
			t.Errorf("sent %s", got)
		}
		if err := c.Send(t.Context(), &wire.UnknownFrame{Raw: codec.Raw(`{`)}); err == nil {
			t.Error("a frame that is not JSON was sent")
		}
		p.Nothing()
	})
}

func TestSendEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := io.Pipe()
		_, w := io.Pipe() // nobody reads
		c := NewConn(r, w, &ConnOptions{Logger: peertest.Quiet})
		defer c.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		for range 2 { // one is being written, one waits
			if err := c.Send(ctx, &wire.KeepAlive{}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Send = %v", err)
			}
		}
		if time.Since(start) != time.Second {
			t.Errorf("took %v", time.Since(start))
		}
	})
}

func TestFramesGoOutInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		var want []string
		for i := range 100 {
			mark := strings.Repeat("x", i)
			f := &wire.KeepAlive{StartupMark: &mark}
			want = append(want, peertest.Encode(t, f))
			if err := c.Send(t.Context(), f); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, p.Sent()); diff != "" {
			t.Error(diff)
		}
	})
}

// The CLI's end sees the end of its input and still writes the result.
func TestSendingGoesOnAfterTheEndOfTheStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		c, p := newPeer(t, &ConnOptions{Answer: func(context.Context, wire.Request) (appender, error) {
			<-release
			return nil, nil
		}})
		p.Say(peertest.RequestLine("r", peertest.InterruptBody))
		p.End()
		<-c.Done()
		if c.Err() != ErrPeerClosed {
			t.Errorf("ended by %v", c.Err())
		}
		if err := c.Send(t.Context(), &wire.KeepAlive{}); err != nil {
			t.Error(err)
		}
		p.One()
		close(release)
		if got := p.One(); got != peertest.SuccessLine("r", "") {
			t.Errorf("sent %s", got)
		}
	})
}

func TestLastLineWithoutALineEndIsDelivered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		go func() {
			p.Raw(peertest.KeepAliveLine)
			p.End()
		}()
		if _, err := c.Receive(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := c.Receive(t.Context()); err != io.EOF {
			t.Errorf("Receive = %v", err)
		}
	})
}

func TestEventsEndWithTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		p.Say("noise")
		p.End()
		count := 0
		for range c.Events() {
			count++
		}
		if count != 1 {
			t.Errorf("%d events", count)
		}
	})
}

func TestTheReasonOfTheEndIsThereWhenTheEndIsReceived(t *testing.T) {
	for range 20_000 {
		c := NewConn(strings.NewReader(""), io.Discard, nil)
		if _, err := c.Receive(t.Context()); err != io.EOF {
			t.Fatalf("received %v", err)
		}
		if err := c.Err(); !errors.Is(err, ErrPeerClosed) {
			t.Fatalf("the reason is %v", err)
		}
		c.Close()
	}
}
