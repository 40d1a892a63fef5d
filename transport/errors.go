package transport

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport/cli"
)

var (
	// ErrClosed says that the connection or session was closed on this side.
	ErrClosed = errors.New("closed on this side")

	// ErrPeerClosed says that the peer closed its output, so that no answer can come any more.
	ErrPeerClosed = errors.New("the peer closed its output")

	// ErrOutputClosed says that the CLI closed its stdout although it did not exit.
	ErrOutputClosed = errors.New("the CLI closed its stdout but did not exit")

	// ErrInputClosed says that the peer's input was closed with CloseInput, so that nothing can be
	// sent any more.
	ErrInputClosed = errors.New("the peer's input was closed")

	// ErrTooManyPending says that too many control requests wait for their answers. See
	// [Limits.Pending].
	ErrTooManyPending = errors.New("too many pending control requests")

	// ErrInitQueueOverflow says that too many operations wait for the end of the initialisation.
	// See [Limits.Queued].
	ErrInitQueueOverflow = errors.New("too many operations queued during initialisation")

	// ErrNotInitialized is what operations that waited for the initialisation get when it fails.
	ErrNotInitialized = errors.New("the session was not initialised")

	// ErrCheckpointingNotEnabled refuses a rewind_files in a session without
	// [Options.FileCheckpointing].
	ErrCheckpointingNotEnabled = errors.New("file checkpointing is not enabled; set Options.FileCheckpointing")

	// ErrNoResult says that the CLI ended, with code 0, before the result of a turn.
	ErrNoResult = errors.New("the CLI ended before the result of the turn")

	// ErrRepeatedUUID refuses a user message with the uuid of one that was sent before, of which
	// the CLI does nothing. It also ends a turn whose uuid is in the history of a session that was
	// resumed: CLIs before 2.1.250 do not tell of that.
	ErrRepeatedUUID = errors.New("a message with this uuid was sent before")

	// ErrOvertaken ends a turn whose loop was left, when it is taken up again after a later turn of
	// the session has begun, or whose reader is further behind than [Limits] allow.
	ErrOvertaken = errors.New("a later turn of the session began before the result of this one was read")

	// ErrMessagesFull ends the messages of a connection with [FailWhenFull] whose consumer fell too
	// far behind.
	ErrMessagesFull = errors.New("too many unread messages")

	// ErrBacklog ends a connection whose peer sends requests but does not read the refusals.
	ErrBacklog = errors.New("the peer does not read the answers to its requests")

	// ErrUnsupported is what an [AnswerFunc] returns for a request that it does not know. The peer
	// gets an error reply with the code unsupported_request.
	ErrUnsupported = errors.New("unsupported control request")

	// ErrNoAnswer is what an [AnswerFunc] returns if the Conn must send nothing, for example
	// because the answer was sent with [Conn.Send].
	ErrNoAnswer = errors.New("no answer")
)

// What a session says of the CLI that it runs. Package cli has the rest.
type (
	// Version is a version of the CLI.
	Version = cli.Version
	// Flags are arguments of the CLI.
	Flags = cli.Flags
	// ExitError says how the CLI ended.
	ExitError = cli.ExitError
	// SpawnError says that the CLI could not be started.
	SpawnError = cli.SpawnError
	// UnsupportedVersionError says that the CLI is too old for what the options need.
	UnsupportedVersionError = cli.UnsupportedVersionError
)

var (
	// ErrCLINotFound says that there is no CLI where one was looked for.
	ErrCLINotFound = cli.ErrNotFound
	// ErrBrokenPipe says that the CLI no longer reads its input.
	ErrBrokenPipe = cli.ErrBrokenPipe
)

// CallError is the peer's refusal of a control request. An [AnswerFunc] that returns one decides
// all members of its error reply but the request id.
type CallError struct {
	Subtype  string // of the request
	Response *wire.ErrorResponse
}

func (e *CallError) Error() string {
	return fmt.Sprintf("%s: %v", e.Subtype, &wire.ResponseError{Response: e.Response})
}

// TimeoutError says that a control request was not answered in time. A CLI before 2.1.40 never
// answers a subtype that it does not know, see [cli.FeatureUnknownSubtypeReply].
type TimeoutError struct {
	Subtype   string
	RequestID string
	After     time.Duration
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s: no answer to %s within %v", e.Subtype, e.RequestID, e.After)
}

// Timeout marks the error for those who ask by interface.
func (e *TimeoutError) Timeout() bool { return true }

// Unwrap returns [context.DeadlineExceeded].
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// InputBusyError refuses a CloseInput because requests from the peer are not answered yet.
type InputBusyError struct {
	Requests int
}

func (e *InputBusyError) Error() string {
	if e.Requests == 1 {
		return "1 request from the peer is not answered yet; closing its input would fail it"
	}
	return fmt.Sprintf("%d requests from the peer are not answered yet; closing its input would fail them", e.Requests)
}

// DroppedError is in the stream of messages at the place where unread ones were dropped. It does
// not end the stream. It ends a [Turn] if results are among them, because its own may be.
type DroppedError struct {
	Messages int
	Results  int // how many of them were results
}

func (e *DroppedError) Error() string {
	if e.Messages == 1 {
		return "1 unread message was dropped"
	}
	return fmt.Sprintf("%d unread messages were dropped", e.Messages)
}

// PanicError is a panic of a callback.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("callback panicked: %v", e.Value) }
