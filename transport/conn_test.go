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
)

func TestMessagesAreEverythingButControlTraffic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		messages := []string{
			keepAliveLine,
			`{"type":"brand_new","x":1}`,
			`{"type":"system","subtype":"status","status":null,"session_id":"s","uuid":"u"}`,
			`{"type":"user","message":{"role":"user","content":"hi"}}`,
		}
		p.write(messages[0], successLine("orphan", ""), messages[1], cancelLine("x"), messages[2], requestLine("r", interruptBody), messages[3])
		p.end()
		var got []string
		for f, err := range c.Messages() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, encode(t, f))
		}
		if diff := cmp.Diff(messages, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestMessagesGoOnAfterABreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		p.write(keepAliveLine, keepAliveLine, keepAliveLine)
		p.end()
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
		{"carriage return", keepAliveLine + "\r", NoiseEvent{Kind: codec.ObjectLine, Notes: codec.CarriageReturn, Text: keepAliveLine, Len: 22}, true},
		{"byte-order mark", "\ufeff" + keepAliveLine, NoiseEvent{Kind: codec.ObjectLine, Notes: codec.ByteOrderMark, Text: keepAliveLine, Len: 24}, true},
		{"long text", strings.Repeat("x", 5000), NoiseEvent{Kind: codec.TextLine, Text: strings.Repeat("x", 1024), Len: 5000}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, p := newPeer(t, nil)
				p.write(test.line)
				if diff := cmp.Diff(test.want, *only[*NoiseEvent](t, c.events)); diff != "" {
					t.Error(diff)
				}
				p.nothing()
				p.write(keepAliveLine)
				p.end()
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
		p.write(long, keepAliveLine)
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
			p.write(keepAliveLine, `{"type":"keep_alive","brand_new":1}`)
			if unwanted {
				if events := drain(c.events); len(events) != 0 {
					t.Errorf("events = %+v", events)
				}
				return
			}
			e := only[*DeviationEvent](t, c.events)
			if e.Kind != codec.UnknownMember || e.Path != "/brand_new" || e.LineOffset != int64(len(keepAliveLine)+1) {
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
		if got := p.one(); got != keepAliveLine {
			t.Errorf("sent %s", got)
		}
		if err := c.Send(t.Context(), &wire.UnknownFrame{Raw: codec.Raw(`{`)}); err == nil {
			t.Error("a frame that is no JSON was sent")
		}
		p.nothing()
	})
}

func TestSendEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := io.Pipe()
		_, w := io.Pipe() // nobody reads
		c := NewConn(r, w, &ConnOptions{Logger: quiet})
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
			want = append(want, encode(t, f))
			if err := c.Send(t.Context(), f); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, p.sent()); diff != "" {
			t.Error(diff)
		}
	})
}

// The CLI's end sees the end of its input and still writes the result.
func TestSendingGoesOnAfterTheEndOfTheStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		c, p := newPeer(t, &ConnOptions{Handler: func(context.Context, wire.Request) (appender, error) {
			<-release
			return nil, nil
		}})
		p.write(requestLine("r", interruptBody))
		p.end()
		<-c.Done()
		if c.Err() != ErrPeerClosed {
			t.Errorf("ended by %v", c.Err())
		}
		if err := c.Send(t.Context(), &wire.KeepAlive{}); err != nil {
			t.Error(err)
		}
		p.one()
		close(release)
		if got := p.one(); got != successLine("r", "") {
			t.Errorf("sent %s", got)
		}
	})
}

func TestLastLineWithoutALineEndIsDelivered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		go func() {
			io.WriteString(p.out, keepAliveLine)
			p.end()
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
		p.write("noise")
		p.end()
		count := 0
		for range c.Events() {
			count++
		}
		if count != 1 {
			t.Errorf("%d events", count)
		}
	})
}
