package transport

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
)

// closePatience is how long Close waits for a Read or Write that the closing should have ended.
const closePatience = time.Second

// CloseInput closes the peer's input after everything that was sent, and returns when that is
// done. What the peer still writes is received. While requests from the peer are not answered it
// does nothing and returns an [*InputBusyError].
func (c *Conn) CloseInput(ctx context.Context) error { return c.closeInput(ctx, false) }

// ForceCloseInput is CloseInput also while peer requests are pending: their contexts end, and they
// are not answered.
func (c *Conn) ForceCloseInput(ctx context.Context) error { return c.closeInput(ctx, true) }

func (c *Conn) closeInput(ctx context.Context, force bool) error {
	out, written := newLine(nil)
	err := c.inbound.close(force, out, ErrInputClosed)
	if err == ErrInputClosed {
		return nil // closed before
	}
	if err != nil {
		return err
	}
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return context.Cause(ctx) // the input is closed once what was sent before has gone out
	}
}

// Close ends the connection: all calls fail with [ErrClosed], the contexts of all [AnswerFunc]
// calls end and nothing more is sent. Messages that were received can still be read. It can be
// called twice, concurrently and inside an AnswerFunc. When it returns, no goroutine of the Conn is
// left, with two exceptions: an AnswerFunc that has not returned, and a Read or Write that does not
// end although the file was closed, or that cannot be closed. Close waits a second for the latter.
func (c *Conn) Close() error {
	c.closeOnce.Do(func() {
		c.abort(ErrClosed)
		c.finish(ErrClosed, ErrClosed)
		c.closeErr = closeIfCloser(c.out.dst)
		patience := time.NewTimer(closePatience)
		defer patience.Stop()
		waitFor(c.out.done, patience)
		if _, ok := c.src.(io.Closer); ok {
			c.closeErr = errors.Join(c.closeErr, closeIfCloser(c.src))
			waitFor(c.readerDone, patience)
		}
	})
	return c.closeErr
}

func waitFor(done <-chan struct{}, patience *time.Timer) {
	select {
	case <-done:
	case <-patience.C:
		patience.Reset(0)
	}
}

// abort ends everything but the reading.
func (c *Conn) abort(err error) {
	c.pending.failAll(err)
	c.inbound.abort()
	c.cancel()
	c.out.close(err)
	c.msgs.letGo()
}

// finish ends the reading side. Only the first call counts.
func (c *Conn) finish(forCalls, forMessages error) {
	c.finishOnce.Do(func() {
		c.err = forCalls
		c.pending.failAll(forCalls)
		close(c.done) // who receives the end knows its reason
		c.msgs.close(forMessages)
		if !c.outlived {
			c.events.close()
		}
	})
}

// closeIfCloser closes what can be closed. It is not an error if it was closed before.
func closeIfCloser(v any) error {
	c, ok := v.(io.Closer)
	if !ok {
		return nil
	}
	if err := c.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// leavePatience is how long leave waits for a peer that does not read.
const leavePatience = 250 * time.Millisecond

// leave is abort, but the peer gets a last request first, to which nobody awaits the answer, and
// then the end of its input.
func (c *Conn) leave(ctx context.Context, last wire.Request, err error) {
	defer c.abort(err)
	if _, err := c.begin(last); err != nil {
		return
	}
	end, written := newLine(nil)
	if c.inbound.close(true, end, err) != nil {
		return
	}
	patience := time.NewTimer(leavePatience)
	defer patience.Stop()
	select {
	case <-written:
	case <-patience.C:
	case <-ctx.Done():
	}
}

// retirePatience is how long retire waits for answers.
const retirePatience = 3 * time.Second

// retire closes the peer's input as soon as no request from the peer is open. Nobody reads messages
// any more. It returns early if ctx, the connection or the time ends.
func (c *Conn) retire(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, retirePatience)
	defer cancel()
	c.msgs.letGo()
	for {
		idle := c.inbound.idle()
		if busy := (*InputBusyError)(nil); !errors.As(c.CloseInput(ctx), &busy) {
			return
		}
		select {
		case <-idle:
		case <-c.done:
			return
		case <-ctx.Done():
			return
		}
	}
}
