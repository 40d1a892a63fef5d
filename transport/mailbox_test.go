package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/peertest"
)

// A consumer that reads nothing for a million messages gets them all, in order. Meanwhile control
// traffic flows and memory stays bounded.
func TestAMillionUnreadMessagesAreKept(t *testing.T) {
	const (
		every  = 100_000
		memory = 4 << 20
	)
	count := 1_000_000
	if raceEnabled || testing.Short() {
		count /= 10 // the detector makes it ten times as slow
	}
	r, w := io.Pipe()
	answers := &answerCounter{answered: make(chan string, 10)}
	c := NewConn(r, answers, &ConnOptions{Logger: peertest.Quiet, Limits: Limits{MessageBytes: memory}, Answer: func(context.Context, wire.Request) (appender, error) {
		return nil, nil
	}})
	defer c.Close()
	before := heap()
	var batch strings.Builder
	for i := range count {
		batch.WriteString(peertest.MarkLine(fmt.Sprint(i)) + "\n")
		if (i+1)%every == 0 {
			batch.WriteString(peertest.RequestLine(fmt.Sprint(i), peertest.InterruptBody) + "\n")
			io.WriteString(w, batch.String())
			batch.Reset()
			if line := <-answers.answered; line != peertest.SuccessLine(fmt.Sprint(i), "") {
				t.Fatalf("answered %s", line)
			}
		}
	}
	batch = strings.Builder{}
	if held := heap() - before; held > memory+2<<20 {
		t.Errorf("%d bytes are held, the limit is %d", held, memory)
	}
	w.Close()
	i := 0
	for f, err := range c.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		if got := *f.(*wire.KeepAlive).StartupMark; got != fmt.Sprint(i) {
			t.Fatalf("message %s, want %d", got, i)
		}
		i++
	}
	if i != count {
		t.Errorf("the last message is %d", i-1)
	}
	if c.msgs.rest.file != nil {
		t.Error("the file is still open")
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// answerCounter hands out each line that is written.
type answerCounter struct{ answered chan string }

func (w *answerCounter) Write(p []byte) (int, error) {
	w.answered <- strings.TrimSpace(string(p))
	return len(p), nil
}

// fill puts numbered messages into a mailbox and returns how many there was room for.
func fill(m *mailbox, count int) int {
	for i := range count {
		line := peertest.MarkLine(fmt.Sprint(i))
		f, err := wire.Decode([]byte(line))
		if err != nil {
			panic(err)
		}
		if done, _ := m.tryPut(f, []byte(line), false); !done {
			return i
		}
	}
	return count
}

// wantMarks takes numbered messages.
func wantMarks(t *testing.T, m *mailbox, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		f, err := m.take(t.Context())
		if err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		if got := *f.(*wire.KeepAlive).StartupMark; got != fmt.Sprint(i) {
			t.Fatalf("message %s, want %d", got, i)
		}
	}
}

func TestMailboxKeepsOrderInMemoryAndOnDisk(t *testing.T) {
	m := &intake{mailbox: newMailbox(Limits{MessageBytes: 8192, DiskBytes: -1}, Spill)}
	next, want := 0, 0
	for round := range 300 {
		for range round * 7 % 997 {
			line := peertest.MarkLine(fmt.Sprint(next))
			f, _ := wire.Decode([]byte(line))
			m.put(f, []byte(line), false, func(error) {})
			next++
		}
		m.flush()
		take := min(round*11%991, next-want)
		wantMarks(t, m.mailbox, want, want+take)
		want += take
	}
	wantMarks(t, m.mailbox, want, next)
	if m.unread != 0 || m.bytes != 0 || m.rest.held != 0 || m.rest.file != nil {
		t.Errorf("something is left: %d messages, %d and %d bytes, file %v", m.unread, m.bytes, m.rest.held, m.rest.file)
	}
}

// The reader waits where there is no room in memory, nor on the disk, and goes on when the consumer
// has made some.
func TestFullPipeIsHeldUntilThereIsRoom(t *testing.T) {
	noDisk := t.TempDir()
	if err := os.Remove(noDisk); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		policy FullPolicy
		limits Limits
		tmp    string
	}{
		{"policy", Hold, Limits{MessageBytes: 4096}, ""},
		{"full disk", Spill, Limits{MessageBytes: 4096, DiskBytes: 4096}, ""},
		{"no disk", Spill, Limits{MessageBytes: 4096}, noDisk},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.tmp != "" {
				t.Setenv("TMPDIR", test.tmp)
			}
			synctest.Test(t, func(t *testing.T) {
				const count = 20_000
				var log peertest.Recorder
				c, p := newPeer(t, &ConnOptions{WhenFull: test.policy, Limits: test.limits, Logger: log.Logger()})
				written := false
				go func() {
					p.Raw(manyMarks(count))
					written = true
				}()
				synctest.Wait()
				if written {
					t.Fatal("the pipe was not held")
				}
				if log.Count("the pipe is held") != 1 {
					t.Error("the log does not say that the pipe is held")
				}
				if held := only[*HeldEvent](t, c.events); errors.Is(held.Err, fs.ErrNotExist) != (test.tmp != "") {
					t.Errorf("the event has the error %v", held.Err)
				}
				for i := range count {
					f, err := c.Receive(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					if got := *f.(*wire.KeepAlive).StartupMark; got != fmt.Sprint(i) {
						t.Fatalf("message %s, want %d", got, i)
					}
				}
				synctest.Wait()
				if !written {
					t.Error("the pipe is held for ever")
				}
			})
		})
	}
}

// manyMarks returns numbered messages.
func manyMarks(count int) string {
	var b strings.Builder
	for i := range count {
		b.WriteString(peertest.MarkLine(fmt.Sprint(i)) + "\n")
	}
	return b.String()
}

func TestReceiveWithAContextThatHasEndedTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, nil)
		p.Raw(manyMarks(3))
		synctest.Wait()
		ended, end := context.WithCancel(t.Context())
		end()
		if f, err := c.Receive(ended); err != context.Canceled {
			t.Errorf("received %v, %v", f, err)
		}
		if f, err := c.Receive(t.Context()); err != nil || *f.(*wire.KeepAlive).StartupMark != "0" {
			t.Errorf("the first message is %v, %v", f, err)
		}
	})
}

func TestCloseEndsTheHoldingOfThePipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, &ConnOptions{WhenFull: Hold, Limits: Limits{MessageBytes: 4096}})
		go p.Raw(manyMarks(20_000))
		synctest.Wait()
		c.Close()
		select {
		case <-c.readerDone:
		default:
			t.Error("the reader still waits")
		}
		if f, err := c.Receive(t.Context()); err != nil || *f.(*wire.KeepAlive).StartupMark != "0" {
			t.Errorf("the first message that was received is %v, %v", f, err)
		}
	})
}

func TestDropOldestSaysHowManyWereDropped(t *testing.T) {
	for name, limits := range map[string]Limits{"count": {Messages: 1000}, "bytes": {MessageBytes: 64 << 10}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const count = 10_000
				c, p := newPeer(t, &ConnOptions{WhenFull: DropOldest, Limits: limits})
				p.Raw(manyMarks(count))
				p.End()
				only[*DroppedEvent](t, c.events)
				_, err := c.Receive(t.Context())
				var dropped *DroppedError
				if !errors.As(err, &dropped) || limits.Messages > 0 && dropped.Messages != count-limits.Messages {
					t.Fatalf("first = %v, want the number of dropped messages", err)
				}
				i := dropped.Messages
				for f, err := range c.Messages() {
					if err != nil || *f.(*wire.KeepAlive).StartupMark != fmt.Sprint(i) {
						t.Fatalf("message %+v, %v, want %d", f, err, i)
					}
					i++
				}
				if i != count {
					t.Errorf("the last message is %d", i-1)
				}
			})
		})
	}
}

func TestFailWhenFullKeepsTheOldestAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, &ConnOptions{WhenFull: FailWhenFull, Limits: Limits{Messages: 2}})
		p.Say(peertest.KeepAliveLine, peertest.KeepAliveLine, peertest.KeepAliveLine, peertest.KeepAliveLine)
		only[*DroppedEvent](t, c.events)
		for range 2 {
			if _, err := c.Receive(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if _, err := c.Receive(t.Context()); err != ErrMessagesFull {
			t.Errorf("Receive = %v", err)
		}
		p.Say(peertest.RequestLine("r", peertest.InterruptBody)) // control traffic goes on
		p.One()
	})
}

// What waits as a line is what would have been delivered at once.
func TestUnreadableLinesWaitAsTheyAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := newPeer(t, &ConnOptions{Limits: Limits{Line: 1 << 10}})
		p.Raw(manyMarks(3 * maxDecoded))
		p.Say(`{"type":"result","subtype":7,"uuid":"u"}`, `{"uuid":"v","result":"`+strings.Repeat("x", 2000)+`","type":"result"}`)
		p.End()
		var last []*wire.UnknownFrame
		for f, err := range c.Messages() {
			if err != nil {
				t.Fatal(err)
			}
			if f, ok := f.(*wire.UnknownFrame); ok {
				last = append(last, f)
			}
		}
		if len(last) != 2 || last[0].Err == nil || last[0].Type() != "result" || last[0].ID() != "u" ||
			last[1].Err == nil || last[1].Type() != "result" || last[1].ID() != "v" {
			t.Errorf("got %+v", last)
		}
	})
}
