package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// A writer is a process of its own, as the CLI is one, that writes lines into an OS pipe, one write
// each, whenever it is asked to.
type writer struct {
	cmd   *exec.Cmd
	ask   io.WriteCloser
	out   *os.File
	size  int64 // of what it writes each time
	lines int   // in it
}

// repeats is how often a writer writes its lines each time.
const repeats = 5

// startWriter starts this program again to write the lines for which it has the flag.
func startWriter(flag string, lines []line) (*writer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	w := &writer{cmd: exec.Command(self, flag), lines: repeats * len(lines)}
	for _, l := range lines {
		w.size += repeats * int64(len(l.text())+1)
	}
	if w.ask, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	r, end, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer end.Close()
	w.out, w.cmd.Stdout, w.cmd.Stderr = r, end, os.Stderr
	return w, w.cmd.Start()
}

// writeLines is the work of a writer.
func writeLines(lines []line) error {
	var buf []byte
	for {
		if _, err := os.Stdin.Read(make([]byte, 1)); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		for range repeats {
			for _, l := range lines {
				buf = append(append(buf[:0], l.text()...), '\n')
				if _, err := os.Stdout.Write(buf); err != nil {
					return err
				}
			}
		}
	}
}

// time returns how long read takes for what the writer writes.
func (w *writer) time(read func(io.Reader) error) (time.Duration, error) {
	begin := time.Now()
	if _, err := w.ask.Write([]byte{1}); err != nil {
		return 0, err
	}
	err := read(io.LimitReader(w.out, w.size))
	return time.Since(begin), err
}

// share returns the speed of read as a share of that of reading the same bytes into memory, the
// median of some rounds, and its allocations for each line.
func (w *writer) share(rounds int, read func(io.Reader) error) (share, allocs float64, err error) {
	var ratios []float64
	for range rounds + 1 {
		raw, err := w.time(drain)
		if err != nil {
			return 0, 0, err
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		typed, err := w.time(read)
		if err != nil {
			return 0, 0, err
		}
		runtime.ReadMemStats(&after)
		allocs = float64(after.Mallocs-before.Mallocs) / float64(w.lines)
		ratios = append(ratios, raw.Seconds()/typed.Seconds())
	}
	ratios = ratios[1:] // without the warm-up
	slices.Sort(ratios)
	return ratios[len(ratios)/2], allocs, nil
}

// Close ends the process.
func (w *writer) Close() error {
	w.ask.Close()
	w.out.Close()
	return w.cmd.Wait()
}

// pipe measures typed messages from an OS pipe.
func pipe(lines []line, rounds int) (float64, error) {
	w, err := startWriter("-write-all", lines)
	if err != nil {
		return 0, err
	}
	share, allocs, err := w.share(rounds, func(r io.Reader) error {
		in := codec.NewReader(r, nil)
		var d wire.Decoder
		for {
			f, err := in.Next()
			if err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			if _, err := d.Decode(f.Bytes); err != nil {
				return err
			}
		}
	})
	if err != nil {
		return 0, err
	}
	fmt.Printf("\npipe, line by line: typed messages reach %.2f of the raw read, %.2f allocations each\n", share, allocs)
	return share, w.Close()
}

// drain reads everything into memory that it uses again.
func drain(r io.Reader) error {
	buf := make([]byte, 64<<10)
	for {
		if _, err := r.Read(buf); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
