package framing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// stderrKept is how much is kept of the beginning and of the end of the parser's standard error.
const stderrKept = 2 << 10

// drainTime is how long a write waits for the parser to take the one before.
const drainTime = 2 * time.Millisecond

// A command is the parser under test.
type command struct {
	argv     []string
	deadline time.Duration // from the last piece of the stream to the end, longer for large streams
	start    time.Duration // how long a run takes that has nothing to do
	memory   int64         // at how many bytes of memory a run is ended; 0 for no limit

	persistent bool // it gets a stream in pieces with their lengths, and says where its answer ends
}

// deadlineFor is the deadline for a stream of so many bytes.
func (c *command) deadlineFor(length int64) time.Duration {
	return c.deadline + time.Duration(length/(8<<20))*time.Second
}

// An outcome is what a run of the parser gave.
type outcome struct {
	output []byte
	stderr []byte
	exit   error // an exit code other than 0, or a signal
	hung   bool  // the deadline passed
	grew   bool  // the memory limit was passed
	flood  bool  // the output is longer than any that can be right
	memory int64 // the most that the parser held, in bytes; 0 if the system does not say

	// Of a parser that is a function:
	objects [][]byte // what it yielded
	err     error    // what it returned
}

// run gives the parser a stream of a known length through a pipe. The error says that it cannot be
// started, or that ctx ended.
func (c *command) run(ctx context.Context, length int64, feed func(context.Context, *feeder)) (*outcome, error) {
	stdin, input, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	feeding, stop := context.WithCancel(ctx)
	fed := make(chan struct{})
	f := &feeder{File: input, pieces: c.persistent}
	go func() { // ends when the parser is gone, by the closed pipe or by stop
		defer close(fed)
		feed(feeding, f)
		if c.persistent {
			input.WriteString("0\n")
		}
		input.Close()
	}()
	o, err := c.runOn(ctx, length, stdin, f)
	stop()
	input.Close()
	<-fed
	return o, err
}

// A feeder writes to the parser and knows when it last did.
type feeder struct {
	*os.File
	last   atomic.Pointer[time.Time]
	pieces bool // the parser is persistent: each write is a piece
}

func (f *feeder) Write(p []byte) (int, error) {
	write := f.File.Write
	if f.pieces {
		write = f.piece
	}
	n, err := write(p)
	f.wrote()
	return n, err
}

func (f *feeder) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

func (f *feeder) wrote() {
	now := time.Now()
	f.last.Store(&now)
}

// since returns how long ago the last write was, or a long time.
func (f *feeder) since() time.Duration {
	if last := f.last.Load(); last != nil {
		return time.Since(*last)
	}
	return math.MaxInt64
}

// runOn runs the parser with a file as its standard input, which it closes.
func (c *command) runOn(ctx context.Context, length int64, stdin *os.File, f *feeder) (*outcome, error) {
	out := &bounded{limit: int(min(length, 64<<20))*8 + 1<<20}
	ends := &bothEnds{limit: stderrKept}
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, out, ends
	cmd.WaitDelay = time.Second // a descendant may hold the pipes
	ownGroup(cmd)
	err := cmd.Start()
	stdin.Close()
	if err != nil {
		return nil, err
	}
	var result outcome
	watch := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() { c.watch(ctx, cmd.Process, length, f, out, &result, watch) }) // ends when watch is closed
	err = cmd.Wait()
	close(watch)
	watcher.Wait()
	killGroup(cmd.Process) // what it left behind
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if !errors.Is(err, exec.ErrWaitDelay) {
		result.exit = err
	}
	result.output, result.stderr, result.flood = out.data, ends.bytes(), out.full()
	result.memory = max(result.memory, peakMemory(cmd.ProcessState))
	if c.memory > 0 && result.memory > c.memory {
		result.grew = true
	}
	if c.persistent {
		result.finish()
	}
	return &result, nil
}

// watch ends a run that takes too long, holds too much or writes too much.
func (c *command) watch(ctx context.Context, p *os.Process, length int64, f *feeder, out *bounded, result *outcome, stop <-chan struct{}) {
	deadline := c.deadlineFor(length)
	end := time.NewTimer(deadline)
	defer end.Stop()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ctx.Done():
			killGroup(p)
			return
		case <-end.C:
			if left := deadline - f.since(); left > 0 {
				end.Reset(left) // it was the writer that took so long
				continue
			}
			result.hung = true
			killGroup(p)
			return
		case <-look.C:
			result.memory = max(result.memory, currentPeak(p))
			if c.memory > 0 && result.memory > c.memory {
				result.grew = true
				killGroup(p)
				return
			}
			if out.full() {
				killGroup(p)
				return
			}
		}
	}
}

// runStream gives the parser a stream, in its pieces.
func (c *command) runStream(ctx context.Context, s Stream) (*outcome, error) {
	return c.run(ctx, int64(len(s.Data)), func(_ context.Context, w *feeder) {
		for i, chunk := range s.Chunks() {
			switch i {
			case 0:
			case 1:
				waitDrained(w.File, drainTime+2*c.start) // until it reads at all
			default:
				waitDrained(w.File, drainTime)
			}
			if _, err := w.Write(chunk); err != nil {
				return // the parser is gone
			}
		}
	})
}

// runFile gives the parser a stream as a file.
func (c *command) runFile(ctx context.Context, s Stream) (*outcome, error) {
	file, err := os.CreateTemp("", "framing")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	data := s.Data
	if c.persistent {
		data = s.pieced()
	}
	_, err = file.Write(data)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return c.runOn(ctx, int64(len(s.Data)), file, &feeder{})
}

// runScript gives the parser what a shell script writes.
func (c *command) runScript(ctx context.Context, length int64, script string) (*outcome, error) {
	slower := *c
	slower.deadline += time.Duration(strings.Count(script, "\nsleep ")) * 5 * scriptPause
	return slower.run(ctx, length, func(ctx context.Context, w *feeder) {
		shell := exec.Command("sh")
		shell.Stdin, shell.Stdout = strings.NewReader(script), w.File
		ownGroup(shell)
		if shell.Start() != nil {
			return
		}
		stop := context.AfterFunc(ctx, func() { killGroup(shell.Process) })
		defer stop()
		shell.Wait()
		w.wrote()
	})
}

// problem judges how a run ended, before its output is looked at.
func (o *outcome) problem() *Problem {
	switch {
	case o.grew:
		return &Problem{Growth, fmt.Sprintf("it held %d MiB", o.memory>>20)}
	case o.flood:
		return &Problem{Invented, fmt.Sprintf("the output is longer than any that can be right: %d bytes and more", len(o.output))}
	case o.hung:
		return &Problem{Hang, "no end within the deadline"}
	case o.exit != nil:
		detail := o.exit.Error()
		if words := lastWords(o.stderr); words != "" {
			detail += ": " + strconv.Quote(words)
		}
		return &Problem{Crash, detail}
	}
	return nil
}

// bounded keeps what is written up to a limit, and fails after it.
type bounded struct {
	limit int

	mu   sync.Mutex // guards the fields below
	data []byte
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.data)+len(p) > b.limit {
		b.over = true
		return 0, io.ErrShortWrite
	}
	b.data = append(b.data, p...)
	return len(p), nil
}

func (b *bounded) full() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.over
}

// bothEnds keeps the beginning and the end of what is written.
type bothEnds struct {
	limit int // of each

	mu         sync.Mutex // guards the fields below
	head, tail []byte
}

func (b *bothEnds) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(p)
	room := min(b.limit-len(b.head), len(p))
	b.head, p = append(b.head, p[:room]...), p[room:]
	b.tail = append(b.tail, p...)
	if over := len(b.tail) - b.limit; over > 0 {
		b.tail = append(b.tail[:0], b.tail[over:]...)
	}
	return n, nil
}

func (b *bothEnds) bytes() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Concat(b.head, b.tail)
}

// reset forgets what was written.
func (b *bothEnds) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.head, b.tail = nil, nil
}
