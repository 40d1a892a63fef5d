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
	Inbound int // requests of one subtype from the peer that are answered at once; default 32
	// InboundBytes bounds the memory of requests from the peer that are not answered yet, of which
	// one is always taken; default 64 MiB.
	InboundBytes int64

	// MessageBytes bounds the memory of unread messages, of which one is always kept; default 64
	// MiB. [FullPolicy] says what happens past it.
	MessageBytes int64
	DiskBytes    int64 // bounds the file of [Spill]; default 1 GiB
	Messages     int   // unread messages, for [DropOldest] and [FailWhenFull]; default no limit
	Events       int   // unread events, of which the oldest are dropped; default 1024

	Line int // length of a line in bytes; a longer one is skipped; default 16 MiB
}

func (l Limits) withDefaults() Limits {
	l.Queued = cmp.Or(l.Queued, 16)
	l.Pending = cmp.Or(l.Pending, 64)
	l.Inbound = cmp.Or(l.Inbound, 32)
	l.InboundBytes = cmp.Or(l.InboundBytes, 64<<20)
	l.MessageBytes = cmp.Or(l.MessageBytes, 64<<20)
	l.DiskBytes = cmp.Or(l.DiskBytes, 1<<30)
	l.Events = cmp.Or(l.Events, 1024)
	if l.Line < 0 {
		l.Line = math.MaxInt - 1
	}
	return l
}

// CallTimeouts say how long a call may wait for its answer. Zero means the default, a negative
// duration no limit but that of the call's context.
type CallTimeouts struct {
	Initialize time.Duration // initialize; default 60 s
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
		d = cmp.Or(t.Initialize, 60*time.Second)
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
