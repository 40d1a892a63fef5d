package transport

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// hostileHandler is a logger that does what a test says.
type hostileHandler struct {
	slog.Handler
	do func()
}

func (h hostileHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h hostileHandler) Handle(context.Context, slog.Record) error {
	h.do()
	return nil
}

// A logger is user code: whatever it does, requests are answered, messages are delivered, and the
// program lives on.
func TestLoggersHarmNobody(t *testing.T) {
	release := make(chan struct{})
	var c *Conn
	tests := []struct {
		name string
		do   func()
	}{
		{"blocks", func() { <-release }},
		{"panics", func() { panic("logger") }},
		{"closes the connection", func() { c.Close() }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release = make(chan struct{})
				begin := make(chan struct{})
				var p *peertest.Peer
				c, p = newPeer(t, &ConnOptions{Logger: slog.New(hostileHandler{do: func() {
					<-begin
					test.do()
				}}), Answer: func(context.Context, wire.Request) (appender, error) { panic("callback") }})
				for range 2 * maxJournal {
					p.Say("noise", `{"type":"keep_alive","startup_mark":5}`)
				}
				p.Say(peertest.RequestLine("r", peertest.InterruptBody))
				if got := p.One(); got != peertest.ErrorLine("r", "callback panicked: callback") {
					t.Errorf("sent %s", got)
				}
				for range 2 * maxJournal {
					if _, err := c.Receive(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				close(begin)
				synctest.Wait()
				c.Close()
				close(release)
			})
		})
	}
}

func TestLostEntriesOfTheLogAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := make(chan struct{})
		var got []slog.Record
		j := newJournal(slog.New(recordHandler{begin: begin, records: &got}))
		for range maxJournal + 100 {
			j.Warn("x")
		}
		synctest.Wait()
		for range 10 {
			j.Warn("y")
		}
		close(begin)
		synctest.Wait()
		var lost int64
		for _, r := range got {
			r.Attrs(func(a slog.Attr) bool {
				lost += a.Value.Int64()
				return true
			})
		}
		if len(got)-1+int(lost) != maxJournal+110 {
			t.Errorf("%d entries, %d lost", len(got)-1, lost)
		}
	})
}

type recordHandler struct {
	slog.Handler
	begin   <-chan struct{}
	records *[]slog.Record
}

func (h recordHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h recordHandler) Handle(_ context.Context, r slog.Record) error {
	<-h.begin
	*h.records = append(*h.records, r)
	return nil
}
