package framing

import (
	"bytes"
	"context"
	"time"
)

// A Stage is what the fuzzer is doing.
type Stage string

const (
	HandMade Stage = "hand-made streams"
	Reducing Stage = "making streams small"
	Memory   Stage = "streams of 256 MiB"
	Random   Stage = "random streams"
)

// Progress says how far a run of the fuzzer is.
type Progress struct {
	Stage    Stage
	Done     int // hand-made streams that ran
	Streams  int // hand-made streams
	Runs     int // of the parser
	Findings int
	Elapsed  time.Duration
	Time     time.Duration // as in [Options]
}

// count takes note of a run of the parser.
func (f *fuzzer) count() {
	f.report.Runs++
	f.options.Progress(Progress{
		Stage: f.stage, Done: f.done, Streams: f.streams, Runs: f.report.Runs, Findings: len(f.report.Findings),
		Elapsed: time.Since(f.began), Time: f.options.Time,
	})
}

// An Estimate says what the hand-made streams will take.
type Estimate struct {
	Run     time.Duration // what the parser takes for a plain stream
	Streams int           // hand-made streams
	Time    time.Duration // what they take, roughly
	Enough  time.Duration // how long a run must be to play them all, with some room
}

// measure looks how long the parser takes for many bytes. Whether it gets them right is looked at
// later.
func (f *fuzzer) measure(ctx context.Context) error {
	s := Stream{Name: "measure", Data: bytes.Repeat([]byte("{\"n\":1,\"text\":\"a\"}\n"), measured/21)}
	s = f.options.Frames.translate(s)
	start := time.Now()
	_, err := f.play(ctx, s)
	if err != nil {
		return err
	}
	f.count()
	f.perMiB = max(0, time.Since(start)-f.command.start) * (1 << 20) / time.Duration(len(s.Data))
	return nil
}

// measured is roughly how many bytes the parser gets to measure how long it takes for many.
const measured = 256 << 10

func (f *fuzzer) estimate(streams []Stream) Estimate {
	e := Estimate{Run: f.command.start, Streams: len(streams)}
	size := 0
	for _, s := range streams {
		e.Time += f.command.start
		if len(s.Cuts) > 0 {
			e.Time += 2 * f.command.start // the first piece waits for the parser
		}
		size += len(s.Data)
	}
	e.Time += time.Duration(size) * f.perMiB >> 20
	e.Enough = roomy(e.Time)
	return e
}

// roomy adds room to an estimate, also for what comes before and after the hand-made streams.
func roomy(d time.Duration) time.Duration {
	return (d + d/2 + 5*time.Second).Round(time.Second)
}

// enoughTime says how long a run must be, by what the streams took until now.
func (f *fuzzer) enoughTime() time.Duration {
	took := time.Since(f.began)
	return roomy(max(took*time.Duration(f.streams)/time.Duration(f.done+1), f.estimated))
}
