package transport

import (
	"context"
	"errors"
	"io"
	"iter"
	"log/slog"
	"sync"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// settleTime is how long a call whose request could not be written waits for the end of the
// connection, which explains more than the write error does.
const settleTime = 250 * time.Millisecond

// ConnOptions configure a [Conn]. The zero value gives the defaults.
type ConnOptions struct {
	// Answer answers the requests from the peer. Without it, each gets an error reply.
	Answer AnswerFunc

	Limits   Limits
	Timeouts CallTimeouts
	WhenFull FullPolicy // what happens to messages that nobody reads

	// NoCancel sends no control_cancel_request for calls that end early. CLIs before 1.0.83 do not
	// know it.
	NoCancel bool
	// NoDeviations reports no deviations. What the schemas do not name is then read a little
	// faster.
	NoDeviations bool

	// Logger gets late and orphan responses, noise and failures of callbacks. Default:
	// [slog.Default].
	Logger *slog.Logger
}

// Conn is one end of the pipe: it frames, correlates, cancels and times out, and knows nothing of
// processes. Both ends are the same. All methods can be called concurrently.
//
// Two goroutines belong to a Conn, one that reads and one that writes, and one for each peer
// request that is being answered, of which one may wait for the next.
type Conn struct {
	opts    ConnOptions
	log     *journal
	role    role
	src     io.Reader
	out     *outbox
	pending *pending
	inbound *inbound
	msgs    *mailbox
	in      *intake // of msgs; for read
	events  *lane[Event]
	// outlived says that the events go on after the end, and that somebody else closes them.
	outlived bool

	ctx    context.Context // ends with Close
	cancel context.CancelFunc

	finishOnce sync.Once
	done       chan struct{} // closed by finish
	err        error         // written before done is closed
	readerDone chan struct{} // closed by read
	closeOnce  sync.Once
	closeErr   error // written by Close
}

// NewConn makes a Conn that reads the peer's lines from r and writes ours to w, and starts to read.
// The caller must call [Conn.Close], which closes r and w if they are io.Closers. Where they are
// not, a Read or Write that blocks must end by other means.
func NewConn(r io.Reader, w io.Writer, opts *ConnOptions) *Conn {
	c := newConn(r, w, opts)
	c.start(bareRole{c})
	return c
}

// newConn makes a Conn that does not read yet. The caller calls start next.
func newConn(r io.Reader, w io.Writer, opts *ConnOptions) *Conn {
	c := &Conn{src: r, done: make(chan struct{}), readerDone: make(chan struct{})}
	if opts != nil {
		c.opts = *opts
	}
	limits := c.opts.Limits.withDefaults()
	c.opts.Limits = limits
	c.log = newJournal(c.opts.Logger)
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.pending = newPending(limits.Pending)
	c.msgs = newMailbox(limits, c.opts.WhenFull)
	c.in = &intake{mailbox: c.msgs, src: r}
	c.events = newEvents(limits)
	c.out = newOutbox(w)
	return c
}

// start starts to read.
func (c *Conn) start(r role) {
	c.role = r
	c.inbound = newInbound(c.ctx, r, c.out, c.log, c.opts.Limits)
	go c.read() // ends with the stream, or when Close closes it
}

// Send writes a frame as it is: a message, or control traffic that the caller made. [Conn.Call]
// sends requests. It returns when the frame is written, or at the end of ctx, which takes back a
// frame that has not begun to go out.
func (c *Conn) Send(ctx context.Context, f wire.Frame) error {
	line, err := wire.Append(nil, f)
	if err != nil {
		return err
	}
	return c.sendLine(ctx, line)
}

func (c *Conn) sendLine(ctx context.Context, line []byte) error {
	out, written := newLine(line)
	if err := c.out.push(out); err != nil {
		return err
	}
	return c.waitWritten(ctx, out, written)
}

func (c *Conn) waitWritten(ctx context.Context, out *outgoing, written <-chan error) error {
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
	}
	if c.out.withdraw(out) {
		return context.Cause(ctx)
	}
	select {
	case err := <-written:
		return err
	default:
		return context.Cause(ctx) // it goes out, but the caller does not wait for that
	}
}

// Receive returns the next message: everything but control requests, responses and cancellations,
// in the order of the stream. The error is a [*DroppedError] where messages were dropped, io.EOF at
// a plain end of the stream, what else ended it, or that of ctx once it has ended.
func (c *Conn) Receive(ctx context.Context) (wire.Frame, error) {
	return c.msgs.take(ctx)
}

// Messages returns an iterator over what [Conn.Receive] returns. It ends with the stream: after a
// plain end without an error, otherwise with the error as its last element. A [*DroppedError] does
// not end it. There is one stream: a second iterator goes on where the first one was left, and
// concurrent ones share the messages.
func (c *Conn) Messages() iter.Seq2[wire.Frame, error] { return messages(c.Receive) }

func messages(receive func(context.Context) (wire.Frame, error)) iter.Seq2[wire.Frame, error] {
	return func(yield func(wire.Frame, error) bool) {
		for {
			f, err := receive(context.Background())
			var dropped *DroppedError
			last := err != nil && !errors.As(err, &dropped)
			if err == io.EOF || !yield(f, err) || last {
				return
			}
		}
	}
}

// Events returns an iterator over the events. It ends after the connection did. If nobody reads
// them the oldest are dropped.
func (c *Conn) Events() iter.Seq[Event] { return eventSeq(c.events) }

func (c *Conn) event(e Event) { c.events.push(e, eventOverhead) }

// Done is closed when nothing more can be received: at the end of the peer's output, or by Close.
// Sending may still be possible.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns why Done is closed, nil while it is open.
func (c *Conn) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

// read is the reader's goroutine. It never waits for user code, for the consumer of the messages,
// or for a write.
func (c *Conn) read() {
	defer close(c.readerDone)
	lines := codec.NewReader(c.in, &codec.ReaderOptions{MaxLine: c.opts.Limits.Line})
	var decoder lineDecoder
	c.in.decoder = &decoder.Decoder
	if !c.opts.NoDeviations {
		decoder.Options = &codec.Options{Report: func(d codec.Deviation) { decoder.found = append(decoder.found, d) }}
	}
	for {
		line, err := lines.Next()
		if err == nil {
			err = c.receive(&decoder, line)
		}
		if err != nil {
			c.in.flush()
			c.ended(err)
			return
		}
	}
}

// ended finishes the connection after the stream ended.
func (c *Conn) ended(err error) { c.finish(c.role.ended(err)) }

// A lineDecoder is a Decoder and the deviations that it has found in a line.
type lineDecoder struct {
	wire.Decoder
	found []codec.Deviation
}

// receive routes one line. An error ends the connection.
func (c *Conn) receive(decoder *lineDecoder, line codec.Line) error {
	switch {
	case line.Kind == codec.OversizeLine:
		c.log.Warn("line over the limit was skipped", "bytes", line.Len, "offset", line.Offset)
		c.event(&OversizeEvent{Len: line.Len, Offset: line.Offset})
		return c.unreadable(line, errOversize)
	case line.Kind != codec.ObjectLine:
		c.log.Debug("line is not a JSON object", "kind", line.Kind, "bytes", line.Len, "offset", line.Offset)
		c.noise(line)
		return nil
	case line.Notes&(codec.CarriageReturn|codec.ByteOrderMark) != 0:
		c.noise(line)
	case line.Notes&codec.Large != 0:
		c.log.Warn("line is large", "bytes", line.Len, "offset", line.Offset)
	}
	decoder.found = decoder.found[:0]
	frame, err := decoder.Decode(line.Bytes)
	if err == nil {
		err = brokenRequest(frame)
	}
	if err != nil {
		c.undecodable(line, err)
		return c.unreadable(line, err)
	}
	for _, d := range decoder.found {
		c.event(&DeviationEvent{Deviation: d, LineOffset: line.Offset})
	}
	switch f := frame.(type) {
	case *wire.ControlRequest:
		if f.RequestID == "" {
			c.undecodable(line, &codec.Error{Kind: codec.Missing, Path: "/request_id", Offset: -1, Want: "an id to answer to"})
			return nil
		}
		c.in.flush()
		c.role.received(f, line.Bytes)
		return c.inbound.admit(f, line.Len)
	case *wire.ControlResponse:
		c.in.flush()
		c.respond(f.Response, line.Len)
	case *wire.ControlCancelRequest:
		c.in.flush()
		c.inbound.cancel(f.RequestID)
	default:
		c.deliver(frame, line)
	}
	return nil
}

// brokenRequest returns what is wrong with a control request that has an id and cannot be served,
// or with what a hook is to decide about.
func brokenRequest(f wire.Frame) error {
	c, ok := f.(*wire.ControlRequest)
	if !ok {
		return nil
	}
	switch r := c.Request.(type) {
	case *wire.UnknownRequest:
		return r.Err
	case *wire.HookCallbackRequest:
		if input, ok := r.Input.(*wire.UnknownHookInput); ok {
			return input.Err
		}
	}
	return nil
}

// deliver hands a message to its consumer.
func (c *Conn) deliver(f wire.Frame, line codec.Line) {
	c.role.received(f, line.Bytes)
	if c.in.put(f, line.Bytes, line.Kind == codec.OversizeLine, c.held) == putDropped {
		c.log.Warn("messages are not read and were dropped")
		c.event(&DroppedEvent{})
	}
}

// held is called before the pipe is held.
func (c *Conn) held(spillErr error) {
	c.log.Warn("messages are not read; the pipe is held, and callbacks with it", "error", spillErr)
	c.event(&HeldEvent{Err: spillErr})
}

func (c *Conn) noise(line codec.Line) {
	c.event(&NoiseEvent{Kind: line.Kind, Notes: line.Notes, Text: quoteLine(line.Bytes), Len: line.Len, Offset: line.Offset})
	if line.Kind == codec.TextLine {
		c.role.received(nil, line.Bytes)
	}
}

func (c *Conn) undecodable(line codec.Line, err error) {
	c.log.Warn("line does not decode", "error", err, "offset", line.Offset)
	c.event(&UndecodableEvent{Err: err, Text: quoteLine(line.Bytes), Len: line.Len, Offset: line.Offset})
}

// unreadable handles a line that does not decode: a request with an id is refused, a response fails
// its call, a message is delivered as it is.
func (c *Conn) unreadable(line codec.Line, err error) error {
	c.in.flush()
	f := wire.Unreadable(line.Bytes, err)
	switch f.Type() {
	case "":
	case "control_request":
		if id := f.ID(); id != "" {
			return c.inbound.admitUnreadable(id, f)
		}
	case "control_response":
		c.pending.finish(f.ID(), answer{err: err})
	case "control_cancel_request":
	default:
		c.deliver(f, line)
	}
	return nil
}
