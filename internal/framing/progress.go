package framing

import "time"

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
	Time    time.Duration // what they take, roughly: long ones may take more
}

func (f *fuzzer) estimate() Estimate {
	return Estimate{Run: f.command.start, Streams: f.streams, Time: f.command.start * time.Duration(f.streams)}
}
