package framing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// stderrTail is how much of the parser's standard error is kept.
const stderrTail = 2 << 10

// drainTime is how long a write waits for the parser to take the one before.
const drainTime = 2 * time.Millisecond

// A command is the parser under test.
type command struct {
	argv     []string
	deadline time.Duration // for one run, longer for large streams
	memory   int64         // at how many bytes of memory a run is ended; 0 for no limit
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
}

// run gives the parser a stream of a known length. The error says that it cannot be started, or
// that ctx ended.
func (c *command) run(ctx context.Context, length int64, feed func(*os.File)) (*outcome, error) {
	stdin, input, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer input.Close()
	out := &bounded{limit: int(min(length, 64<<20))*8 + 1<<20}
	tail := &lastBytes{limit: stderrTail}
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, out, tail
	cmd.WaitDelay = time.Second // a descendant may hold the pipes
	ownGroup(cmd)
	err = cmd.Start()
	stdin.Close()
	if err != nil {
		return nil, err
	}
	var result outcome
	watch := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() { c.watch(ctx, cmd.Process, length, out, &result, watch) }) // ends when watch is closed
	fed := make(chan struct{})
	go func() { // ends when the parser is gone, which closes the other end of the pipe
		defer close(fed)
		feed(input)
		input.Close()
	}()
	err = cmd.Wait()
	close(watch)
	watcher.Wait()
	killGroup(cmd.Process) // what it left behind
	input.Close()
	<-fed
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if !errors.Is(err, exec.ErrWaitDelay) {
		result.exit = err
	}
	result.output, result.stderr, result.flood = out.data, tail.data, out.full()
	result.memory = max(result.memory, peakMemory(cmd.ProcessState))
	if c.memory > 0 && result.memory > c.memory {
		result.grew = true
	}
	return &result, nil
}

// watch ends a run that takes too long, holds too much or writes too much.
func (c *command) watch(ctx context.Context, p *os.Process, length int64, out *bounded, result *outcome, stop <-chan struct{}) {
	end := time.NewTimer(c.deadline + time.Duration(length/(8<<20))*time.Second)
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
	return c.run(ctx, int64(len(s.Data)), func(w *os.File) {
		for i, chunk := range s.Chunks() {
			if i > 0 {
				waitDrained(w, drainTime)
			}
			if _, err := w.Write(chunk); err != nil {
				return // the parser is gone
			}
		}
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
		return &Problem{Crash, o.exit.Error()}
	}
	return nil
}

// bounded keeps what is written up to a limit, and fails behind it.
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

// lastBytes keeps the end of what is written.
type lastBytes struct {
	limit int
	data  []byte
}

func (l *lastBytes) Write(p []byte) (int, error) {
	l.data = append(l.data, p...)
	if over := len(l.data) - l.limit; over > 0 {
		l.data = append(l.data[:0], l.data[over:]...)
	}
	return len(p), nil
}
