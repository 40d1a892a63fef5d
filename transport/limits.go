package transport

import (
	"cmp"
	"math"
	"strings"
	"time"
)

// Limits bound what a connection holds. Zero means the default, a negative number no limit.
type Limits struct {
	Queued  int // operations that wait for the end of a session's initialisation; default 16
	Pending int // our requests that wait for an answer; default 64
	Inbound int // requests from the peer that are not answered yet; default 32

	Messages int // unread messages; default 16384
	// MessageBytes bounds the length of the unread messages on the wire, of which one is always
	// kept; default 64 MiB.
	MessageBytes int64
	Events       int // unread events, of which the oldest are dropped; default 1024

	Line int // length of a line in bytes; a longer one is skipped; default 16 MiB
}

func (l Limits) withDefaults() Limits {
	l.Queued = cmp.Or(l.Queued, 16)
	l.Pending = cmp.Or(l.Pending, 64)
	l.Inbound = cmp.Or(l.Inbound, 32)
	l.Messages = cmp.Or(l.Messages, 16<<10)
	l.MessageBytes = cmp.Or(l.MessageBytes, 64<<20)
	l.Events = cmp.Or(l.Events, 1024)
	if l.Line < 0 {
		l.Line = math.MaxInt - 1
	}
	return l
}

// CallTimeouts say how long a call may wait for its answer. Zero means the default, a negative
// duration no limit but that of the call's context.
type CallTimeouts struct {
	Initialize time.Duration // initialize; default 10 s
	Interrupt  time.Duration // interrupt; default 5 s
	Set        time.Duration // every set_… request; default 5 s
	Rewind     time.Duration // rewind_files; default 30 s
	Other      time.Duration // every other request; default 60 s
}

// of returns the timeout of a subtype, 0 for none.
func (t CallTimeouts) of(subtype string) time.Duration {
	var d time.Duration
	switch {
	case subtype == "initialize":
		d = cmp.Or(t.Initialize, 10*time.Second)
	case subtype == "interrupt":
		d = cmp.Or(t.Interrupt, 5*time.Second)
	case strings.HasPrefix(subtype, "set_"):
		d = cmp.Or(t.Set, 5*time.Second)
	case subtype == "rewind_files":
		d = cmp.Or(t.Rewind, 30*time.Second)
	default:
		d = cmp.Or(t.Other, 60*time.Second)
	}
	return max(d, 0)
}
