package transport

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

func TestCloseInputClosesBehindWhatWasSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		if err := c.Send(t.Context(), &wire.KeepAlive{}); err != nil {
			t.Fatal(err)
		}
		if p.Closed() {
			t.Fatal("closed before anybody said so")
		}
		for range 2 {
			if err := c.CloseInput(t.Context()); err != nil {
				t.Errorf("CloseInput = %v", err)
			}
		}
		p.One()
		if !p.Closed() {
			t.Error("not closed")
		}
		if err := c.Send(t.Context(), &wire.KeepAlive{}); err != ErrInputClosed {
			t.Errorf("Send = %v", err)
		}
		if _, err := c.Call(t.Context(), &wire.InterruptRequest{}); !errors.Is(err, ErrInputClosed) {
			t.Errorf("Call = %v", err)
		}
		p.Say(peertest.KeepAliveLine) // what the peer still says is heard
		if _, err := c.Receive(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestCloseInputWithRequestsPendingIsAnErrorUnlessForced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		c, p := newPeer(t, &ConnOptions{Answer: func(ctx context.Context, r wire.Request) (appender, error) {
			<-ctx.Done()
			close(ended)
			return nil, nil
		}})
		p.Say(peertest.RequestLine("a", peertest.InterruptBody))
		synctest.Wait()
		var busy *InputBusyError
		if err := c.CloseInput(t.Context()); !errors.As(err, &busy) || busy.Requests != 1 {
			t.Fatalf("CloseInput = %v", err)
		}
		if p.Closed() {
			t.Fatal("closed all the same")
		}
		if err := c.Send(t.Context(), &wire.KeepAlive{}); err != nil {
			t.Errorf("Send = %v", err)
		}
		p.One()
		if err := c.ForceCloseInput(t.Context()); err != nil {
			t.Errorf("ForceCloseInput = %v", err)
		}
		<-ended
		p.Nothing()
		if !p.Closed() {
			t.Error("not closed")
		}
		p.Say(peertest.RequestLine("b", peertest.InterruptBody)) // cannot be answered
		p.Nothing()
	})
}

func TestCloseInputAfterAnAnswerIsNoError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		p.Say(peertest.RequestLine("a", peertest.InterruptBody))
		p.One()
		if err := c.CloseInput(t.Context()); err != nil {
			t.Errorf("CloseInput = %v", err)
		}
	})
}

func TestCloseEndsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		c, p := newPeer(t, &ConnOptions{Answer: func(ctx context.Context, r wire.Request) (appender, error) {
			<-ctx.Done()
			close(ended)
			return nil, nil
		}})
		done := goCall(t.Context(), c, &wire.InterruptRequest{})
		p.One()
		p.Say(peertest.RequestLine("a", peertest.InterruptBody), peertest.KeepAliveLine)
		synctest.Wait()
		if err := c.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
		if r := settled(t, done); !errors.Is(r.err, ErrClosed) {
			t.Errorf("call = %v", r.err)
		}
		<-ended
		p.Nothing()
		if _, err := c.Receive(t.Context()); err != nil {
			t.Errorf("a message that was received before: %v", err)
		}
		if _, err := c.Receive(t.Context()); err != ErrClosed {
			t.Errorf("Receive = %v", err)
		}
		if err := c.Send(t.Context(), &wire.KeepAlive{}); err != ErrClosed {
			t.Errorf("Send = %v", err)
		}
		if _, err := c.Call(t.Context(), &wire.InterruptRequest{}); !errors.Is(err, ErrClosed) {
			t.Errorf("Call = %v", err)
		}
		if err := c.CloseInput(t.Context()); err != ErrClosed {
			t.Errorf("CloseInput = %v", err)
		}
	}) // synctest fails if a goroutine is left
}

func TestCloseTwiceAndConcurrently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newPeer(t, nil)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() { c.Close() })
		}
		wg.Wait()
		if err := c.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	})
}

func TestCloseInsideAHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c *Conn
		closed := make(chan error, 1)
		c, p := newPeer(t, &ConnOptions{Answer: func(context.Context, wire.Request) (appender, error) {
			closed <- c.Close()
			return nil, nil
		}})
		p.Say(peertest.RequestLine("a", peertest.InterruptBody))
		if err := <-closed; err != nil {
			t.Errorf("Close = %v", err)
		}
		p.Nothing()
	})
}

func TestCloseEndsAWriteThatBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := io.Pipe()
		_, w := io.Pipe() // nobody reads
		c := NewConn(r, w, &ConnOptions{Logger: peertest.Quiet})
		sent := make(chan error, 2)
		for range 2 {
			go func() { sent <- c.Send(t.Context(), &wire.KeepAlive{}) }()
		}
		synctest.Wait()
		c.Close()
		for range 2 {
			if err := <-sent; err != ErrClosed {
				t.Errorf("Send = %v", err)
			}
		}
	})
}

func TestCloseLeavesNoGoroutineOverOSPipes(t *testing.T) {
	for range 20 {
		t.Run("", func(t *testing.T) {
			left, right := osPair(t, &ConnOptions{}, &ConnOptions{})
			if _, err := left.Call(t.Context(), &wire.InterruptRequest{}); !errors.As(err, new(*CallError)) {
				t.Errorf("Call = %v", err)
			}
			left.Close()
			right.Close()
		})
	}
}

// stubbornPipe is a reader and writer whose calls do not end when it is closed, as those of a
// terminal may not.
type stubbornPipe struct{ release chan struct{} }

func (p stubbornPipe) Read([]byte) (int, error)    { <-p.release; return 0, io.EOF }
func (p stubbornPipe) Write(b []byte) (int, error) { <-p.release; return len(b), nil }
func (p stubbornPipe) Close() error                { return nil }

func TestCloseDoesNotWaitForEverForAFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := stubbornPipe{make(chan struct{})}
		c := NewConn(p, p, &ConnOptions{Logger: peertest.Quiet})
		go c.Send(t.Context(), &wire.KeepAlive{})
		synctest.Wait()
		start := time.Now()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took != closePatience {
			t.Errorf("took %v", took)
		}
		close(p.release) // the goroutines end now
	})
}
