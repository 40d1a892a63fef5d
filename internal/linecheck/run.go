package linecheck

import (
	"errors"
	"io"
	"runtime"

	"github.com/ccwire/ccwire/internal/linestream"
)

// A Run judges whole inputs, on all cores. Bad lines never end it. A line is judged when it has
// been read, also where the next one takes its time. The functions are called by the goroutine that
// calls Files, in the order of the inputs and their lines.
type Run struct {
	Checker *Checker
	Options linestream.Options // without Oversize
	Stdin   io.Reader          // for the file name "-"

	// Max is how many findings of a file are passed on; 0 means all. If there are more, one of the
	// kind [codec.Omitted] that counts them follows, with the weight of the worst of them.
	Max int

	Emit       func(Finding) error // gets each finding; its error ends the run
	Unreadable func(error)         // gets the reason why an input cannot be read, or not to its end
	Pretty     func(name string)   // called after an input that looks like pretty-printed JSON; may be nil
	Transcript func(name string)   // called after an input that looks like a transcript file and is not judged as one; may be nil
	Tick       func()              // called after each line; may be nil
	Read       func(bytes int64)   // called after each piece of an input with its length; may be nil
	Idle       func() error        // called before the run waits for input; its error ends the run; may be nil

	// Stop ends the run when it is closed: Files returns what it has come to, and [ErrStopped].
	Stop <-chan struct{}
}

// ErrStopped is the error of a run that was stopped before its inputs ended.
var ErrStopped = errors.New("stopped before the end")

// Files judges files one after the other; see [linestream.Open] for their names and forms. The
// error is that of Emit or Idle, or ErrStopped; a read of the standard input that is under way then
// is left alone.
func (r *Run) Files(names []string) (Summary, error) {
	t := r.start(names)
	defer close(t.stop)
	var sum Summary
	f := &file{run: r, sum: &sum}
	for {
		s, err := r.next(t)
		if s == nil || err != nil {
			return sum, err
		}
		if err := f.take(s); err != nil {
			return sum, err
		}
		t.release(s)
	}
}

// next returns the next step of the work, once it is done; nil if there is none.
func (r *Run) next(t *team) (*step, error) {
	var s *step
	select {
	case <-r.Stop:
		return nil, ErrStopped
	case s = <-t.queue:
	default:
		if err := r.idle(); err != nil {
			return nil, err
		}
		select {
		case <-r.Stop:
			return nil, ErrStopped
		case s = <-t.queue:
		}
	}
	if s != nil && s.kind == judged {
		<-s.done
	}
	return s, nil
}

func (r *Run) idle() error {
	if r.Idle == nil {
		return nil
	}
	return r.Idle()
}

// A file is the input whose findings are passed on.
type file struct {
	run  *Run
	sum  *Summary
	name string

	emitted         int
	omitted, errors int // findings that are not passed on, and those of them that are errors
}

// take passes on what a step has found.
func (f *file) take(s *step) error {
	switch s.kind {
	case opened:
		*f = file{run: f.run, sum: f.sum, name: s.name}
		f.sum.Files++
	case closed:
		if s.pretty && f.run.Pretty != nil {
			defer f.run.Pretty(f.name)
		}
		if s.entries && !f.run.Checker.transcript && f.run.Transcript != nil {
			defer f.run.Transcript(f.name)
		}
		return f.rest()
	case unreadable:
		f.sum.Unreadable++
		err := f.rest()
		f.run.Unreadable(s.err)
		return err
	case judged:
		if f.run.Read != nil {
			f.run.Read(s.size)
		}
		return f.block(&s.verdict)
	}
	return nil
}

// block passes on the findings of a block.
func (f *file) block(v *verdict) error {
	f.sum.add(&v.sum)
	for i := range v.found {
		if f.run.Max > 0 && f.emitted >= f.run.Max {
			f.omit(v.found[i].Severity)
			continue
		}
		f.emitted++
		v.found[i].File = f.name
		if err := f.run.Emit(v.found[i]); err != nil {
			return err
		}
	}
	f.omitted += v.omitted
	f.errors += v.errors
	for range v.lines {
		if f.run.Tick != nil {
			f.run.Tick()
		}
	}
	return nil
}

func (f *file) omit(s Severity) {
	f.omitted++
	if s == Error {
		f.errors++
	}
}

// rest says how many findings were not passed on.
func (f *file) rest() error {
	if f.omitted == 0 {
		return nil
	}
	severity := Lint
	if f.errors > 0 {
		severity = Error
	}
	return f.run.Emit(omitted(f.name, severity, f.omitted))
}

// workers is how many goroutines judge lines.
func workers() int { return min(runtime.GOMAXPROCS(0), 32) }
