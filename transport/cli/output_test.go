package cli

import (
	"os"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

// newTestOutput returns an output and the end of the pipe that the process would have.
func newTestOutput(t *testing.T) (*output, *os.File) {
	t.Helper()
	peertest.CheckLeaks(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return newOutput(r), w
}

func TestSettleNeverComesTooLateForWhatIsInThePipe(t *testing.T) {
	o, w := newTestOutput(t)
	w.WriteString("said in time")
	o.settle(time.Now().Add(-time.Hour))
	if got := peertest.ReadAll(t, o); got != "said in time" {
		t.Errorf("got %q", got)
	}
}

func TestSettleEndsAReadThatWaits(t *testing.T) {
	o, _ := newTestOutput(t)
	read := make(chan error)
	go func() {
		_, err := o.Read(make([]byte, 1))
		read <- err
	}()
	o.settle(time.Now())
	if err := <-read; err == nil {
		t.Error("read something")
	}
}

func TestSettleTakesABoundedAmount(t *testing.T) {
	o, w := newTestOutput(t)
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		for {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return // the pipe is closed
			}
		}
	}()
	o.settle(time.Now().Add(forever))
	if n := len(peertest.ReadAll(t, o)); n < maxRest || n > maxRest+64<<10 {
		t.Errorf("took %d bytes", n)
	}
	<-wrote
}

func TestOutputCanBeReadWhileSettleWaitsForMore(t *testing.T) {
	o, w := newTestOutput(t)
	settled := make(chan struct{})
	go func() {
		defer close(settled)
		o.settle(time.Now().Add(forever))
	}()
	lines := make(chan string)
	go func() {
		for range 3 {
			lines <- peertest.ReadLine(t, o)
		}
	}()
	for _, text := range []string{"one", "two", "three"} {
		w.WriteString(text + "\n")
		if got := <-lines; got != text {
			t.Errorf("got %q", got)
		}
	}
	w.Close()
	<-settled
}
