package transport

import (
	"context"
	"iter"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

const (
	// maxQuotedLine is how much of a line an event shows.
	maxQuotedLine = 1 << 10
	// maxEvents bounds the bytes of the unread events.
	maxEvents = 8 << 20
	// eventOverhead is what an event holds at most, if it holds no line.
	eventOverhead = 2 << 10
)

// Event is something that happened beside the messages and the calls. Its arms are [*NoiseEvent],
// [*OversizeEvent], [*UndecodableEvent], [*DeviationEvent], [*OrphanEvent], [*DroppedEvent],
// [*HeldEvent], [*CallbackEvent] and [*EventsLostEvent]; a [Session] adds [*StateEvent] and, as its
// last event, [*CompletedEvent], [*StoppedEvent] or [*FailedEvent].
type Event interface{ isEvent() }

type (
	// NoiseEvent is a line that is not a JSON object, or one with a carriage return or a byte-order
	// mark around it; the latter is delivered all the same.
	NoiseEvent struct {
		Kind   codec.LineKind
		Notes  codec.Notes
		Text   string // the start of it, 1 KiB at most
		Len    int64
		Offset int64 // of the line in the stream
	}

	// OversizeEvent is a line over the limit. It was skipped.
	OversizeEvent struct {
		Len    int64
		Offset int64
	}

	// UndecodableEvent is a line that does not decode. If it was a request with an id, the peer got
	// an error reply.
	UndecodableEvent struct {
		Err    error  // a [*codec.Error]
		Text   string // the start of it, 1 KiB at most
		Len    int64
		Offset int64
	}

	// DeviationEvent is something in a line, or in the body of an answer, that the schemas do not
	// name, or that they require and that is not there. It is delivered all the same.
	DeviationEvent struct {
		codec.Deviation
		LineOffset int64  // of the line; -1 for an answer
		AnswerTo   string // the subtype of the request whose answer it is in, "" for a line
	}

	// OrphanEvent is a response that nobody waits for. It was dropped.
	OrphanEvent struct {
		RequestID string
		Late      bool // the id is that of a call, which is over
		Response  wire.Response
	}

	// DroppedEvent says that unread messages were dropped by [DropOldest] or [FailWhenFull]. There
	// is one event for each run of drops; [DroppedError] has the number.
	DroppedEvent struct{}

	// HeldEvent says that the pipe is not read until the consumer reads messages: there is no room
	// for more, see [FullPolicy]. No callback is called meanwhile.
	HeldEvent struct {
		Err error // why messages could not be written to a file; nil if it is full or not wanted
	}

	// CallbackEvent says that a callback did not give an answer that can be sent: it failed,
	// panicked, returned nil, took too long, or there were too many at once. The peer got the
	// answer of the policy.
	CallbackEvent struct {
		RequestID string
		Subtype   string
		Err       error
	}

	// EventsLostEvent says that nobody read the events and the oldest were dropped.
	EventsLostEvent struct {
		Events int
	}

	// StateEvent says that the session is in another state.
	StateEvent struct {
		State State
	}

	// CompletedEvent says that the CLI ended by itself with code 0, or that the pipe of [OpenConn]
	// ended.
	CompletedEvent struct {
		Exit *ExitError // nil in a session of [OpenConn]
	}

	// StoppedEvent says that the session was closed on this side.
	StoppedEvent struct {
		Exit *ExitError    // nil if the process could not be ended, and in a session of [OpenConn]
		Took time.Duration // from the call of Close to the end of the CLI
	}

	// FailedEvent says that the session ended otherwise: the CLI failed, or it was never
	// initialised.
	FailedEvent struct {
		Reason error
		Exit   *ExitError // with code and the end of stderr; nil if the process could not be ended
	}
)

func (*NoiseEvent) isEvent()       {}
func (*OversizeEvent) isEvent()    {}
func (*UndecodableEvent) isEvent() {}
func (*DeviationEvent) isEvent()   {}
func (*OrphanEvent) isEvent()      {}
func (*DroppedEvent) isEvent()     {}
func (*HeldEvent) isEvent()        {}
func (*CallbackEvent) isEvent()    {}
func (*EventsLostEvent) isEvent()  {}
func (*StateEvent) isEvent()       {}
func (*CompletedEvent) isEvent()   {}
func (*StoppedEvent) isEvent()     {}
func (*FailedEvent) isEvent()      {}

func newEvents(limits Limits) *lane[Event] { return newLane[Event](limits.Events, maxEvents) }

// quoteLine returns the start of a line for an event.
func quoteLine(line []byte) string {
	return string(line[:min(len(line), maxQuotedLine)])
}

// eventSeq is an iterator over events, which ends when the lane does.
func eventSeq(events *lane[Event]) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for {
			e, lost, err := events.take(context.Background())
			if lost > 0 {
				e = &EventsLostEvent{Events: lost}
			}
			if err != nil || !yield(e) {
				return
			}
		}
	}
}
