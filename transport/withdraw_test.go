package transport

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// The time for a cancellation does not grow with the number of requests that are open: the reader
// would stand still.
func TestManyRequestsAreCancelledInShortTime(t *testing.T) {
	const requests = 20_000
	release := make(chan struct{})
	defer close(release)
	c, p := newPeer(t, &ConnOptions{
		Limits: Limits{InboundBytes: -1},
		Answer: func(context.Context, wire.Request) (codec.Appender, error) {
			<-release
			return nil, nil
		},
	})
	var lines strings.Builder
	for i := range requests {
		lines.WriteString(peertest.RequestLine(strconv.Itoa(i), `{"subtype":"mcp_status"}`) + "\n")
	}
	for i := requests - 1; i >= 0; i-- {
		lines.WriteString(peertest.CancelLine(strconv.Itoa(i)) + "\n")
	}
	began := time.Now()
	p.Say(lines.String() + peertest.KeepAliveLine)
	if _, err := c.Receive(t.Context()); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	c.inbound.mu.Lock()
	defer c.inbound.mu.Unlock()
	if len(c.inbound.open) != 0 {
		t.Errorf("%d requests are left", len(c.inbound.open))
	}
	if most := 3 * time.Second; took > most {
		t.Errorf("it took %v", took)
	}
	t.Logf("it took %v", took)
}
