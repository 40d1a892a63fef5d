package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

// A link is a pipe in each direction.
type link struct {
	name string
	pipe func() (io.ReadCloser, io.WriteCloser, error)
}

var links = []link{
	{"memory", func() (io.ReadCloser, io.WriteCloser, error) {
		r, w := io.Pipe()
		return r, w, nil
	}},
	{"OS pipe", func() (io.ReadCloser, io.WriteCloser, error) {
		r, w, err := os.Pipe()
		return r, w, err
	}},
}

// connect joins two connections; the far one answers every request.
func (l link) connect() (near, far *transport.Conn, err error) {
	nr, fw, err := l.pipe()
	if err != nil {
		return nil, nil, err
	}
	fr, nw, err := l.pipe()
	if err != nil {
		return nil, nil, err
	}
	quiet := slog.New(slog.DiscardHandler)
	answer := func(context.Context, wire.Request) (codec.Appender, error) { return &wire.HookOutput{}, nil }
	limits := transport.Limits{Inbound: 1000, Pending: 1000}
	far = transport.NewConn(fr, fw, &transport.ConnOptions{Answer: answer, Limits: limits, Logger: quiet})
	near = transport.NewConn(nr, nw, &transport.ConnOptions{Limits: limits, Logger: quiet})
	return near, far, nil
}

// conns measures round trips and the latency of a hook callback. The bare echo is what the pipes
// allow: a line there and a line back, without a look at them. Both are measured in turn; the share
// is the median of the rounds.
func conns(g *goals, rounds int) error {
	const calls = 20000
	fmt.Println("\nround trips of a connection, as a share of a bare echo by one caller")
	for _, l := range links {
		for _, callers := range []int{1, 64} {
			trips, err := l.shares(callers, calls, rounds)
			if err != nil {
				return err
			}
			fmt.Printf("%8s, %2d callers: %.2f (%.0f calls/s), hook callback p50 %v p99 %v, %.1f allocations a call\n",
				l.name, callers, trips.share, trips.rate, trips.p50, trips.p99, trips.allocs)
			if callers == 1 {
				g.printf("RATIO hook-callback/%s/echo %.2f", strings.ReplaceAll(l.name, " ", "-"), trips.share)
				g.printf("ALLOCS hook-callback/%s %.2f", strings.ReplaceAll(l.name, " ", "-"), trips.allocs)
			}
		}
	}
	return nil
}

// trips is what calls came to.
type trips struct {
	share, rate, allocs float64 // share is of the rate of a bare echo
	p50, p99            time.Duration
}

// shares returns the round with the median share.
func (l link) shares(callers, calls, rounds int) (trips, error) {
	var all []trips
	for range rounds {
		bare, err := l.echo(calls)
		if err != nil {
			return trips{}, err
		}
		round, err := l.roundTrips(callers, calls)
		if err != nil {
			return trips{}, err
		}
		round.share = round.rate / bare
		all = append(all, round)
	}
	slices.SortFunc(all, func(a, b trips) int { return cmp.Compare(a.share, b.share) })
	return all[len(all)/2], nil
}

// echo returns how many lines a second can go there and back.
func (l link) echo(calls int) (float64, error) {
	nr, fw, err := l.pipe()
	if err != nil {
		return 0, err
	}
	fr, nw, err := l.pipe()
	if err != nil {
		return 0, err
	}
	failed := make(chan error, 1)
	go func() { // ends with the near end
		defer fw.Close()
		_, err := io.Copy(struct{ io.Writer }{fw}, struct{ io.Reader }{fr})
		failed <- err
	}()
	line := append(slices.Clone(hookRequest), '\n')
	in := bufio.NewReader(nr)
	begin := time.Now()
	for range calls {
		if _, err := nw.Write(line); err != nil {
			return 0, err
		}
		if _, err := in.ReadSlice('\n'); err != nil {
			return 0, err
		}
	}
	took := time.Since(begin)
	nw.Close()
	return float64(calls) / took.Seconds(), <-failed
}

// roundTrips measures how many calls go through, and the latency of one.
func (l link) roundTrips(callers, calls int) (trips, error) {
	near, far, err := l.connect()
	if err != nil {
		return trips{}, err
	}
	defer far.Close()
	defer near.Close()
	request, err := wire.DecodeRequest(hookRequest, nil)
	if err != nil {
		return trips{}, err
	}
	each := calls / callers
	times := make([][]time.Duration, callers)
	failed := make(chan error, callers)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			for range each {
				start := time.Now()
				if _, err := near.Call(context.Background(), request); err != nil {
					failed <- err
					return
				}
				times[i] = append(times[i], time.Since(start))
			}
		})
	}
	wg.Wait()
	took := time.Since(begin)
	runtime.ReadMemStats(&after)
	select {
	case err := <-failed:
		return trips{}, err
	default:
	}
	all := slices.Sorted(slices.Values(slices.Concat(times...)))
	return trips{
		rate:   float64(len(all)) / took.Seconds(),
		allocs: float64(after.Mallocs-before.Mallocs) / float64(len(all)),
		p50:    all[len(all)/2].Round(time.Microsecond), p99: all[len(all)*99/100].Round(time.Microsecond),
	}, nil
}

var hookRequest = []byte(`{"subtype":"hook_callback","callback_id":"hook_0","input":{"session_id":"` + session + `","transcript_path":"/scratch/t.jsonl","cwd":"/scratch","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/scratch/out.txt"},"tool_use_id":"toolu_01x"}}`)

// connPipe is pipe through a whole connection: routed to its consumer.
func connPipe(lines []line, rounds int) (float64, error) {
	w, err := startWriter("-write-messages", lines)
	if err != nil {
		return 0, err
	}
	share, allocs, err := w.share(rounds, func(r io.Reader) error {
		c := transport.NewConn(r, io.Discard, &transport.ConnOptions{
			Logger: slog.New(slog.DiscardHandler),
			Limits: transport.Limits{Messages: 1 << 30, MessageBytes: 1 << 40}, // drop nothing
		})
		defer c.Close()
		for _, err := range c.Messages() {
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	fmt.Printf("pipe, line by line: messages through a connection reach %.2f of the raw read, %.2f allocations each\n", share, allocs)
	return share, w.Close()
}

// messages returns the lines without the requests of the CLI.
func messages(lines []line) (out []line) {
	for _, l := range lines {
		if !strings.HasPrefix(kinds[l.kind], "control_request") {
			out = append(out, l)
		}
	}
	return out
}
