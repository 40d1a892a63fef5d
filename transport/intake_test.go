package transport

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// watchingRole notes how many messages can be received when a request comes.
type watchingRole struct {
	bareRole
	unread []int
}

func (r *watchingRole) received(f wire.Frame, _ []byte) {
	if _, ok := f.(*wire.ControlRequest); ok {
		r.c.msgs.mu.Lock()
		defer r.c.msgs.mu.Unlock()
		r.unread = append(r.unread, r.c.msgs.unread)
	}
}

// What came before a request from the peer can be received before its callback is called, also if
// it came in the same read.
func TestMessagesBeforeARequestCanBeReceivedBeforeItsCallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text strings.Builder
		for i := range 200 {
			text.WriteString(peertest.MarkLine("mark") + "\n")
			if i == 2 || i == 149 {
				text.WriteString(peertest.RequestLine("id", peertest.InterruptBody) + "\n")
			}
		}
		c := newConn(strings.NewReader(text.String()), new(strings.Builder), &ConnOptions{Logger: peertest.Quiet})
		r := &watchingRole{bareRole: bareRole{c}}
		c.start(r)
		synctest.Wait()
		if len(r.unread) != 2 || r.unread[0] != 3 || r.unread[1] != 150 {
			t.Errorf("%v messages could be received, want 3 and 150", r.unread)
		}
		if c.msgs.unread != 200 {
			t.Errorf("%d messages at the end, want 200", c.msgs.unread)
		}
		c.Close()
	})
}
