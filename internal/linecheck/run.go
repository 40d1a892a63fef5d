package linecheck

import (
	"io"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linestream"
)

// A Run judges whole inputs. Bad lines never end it.
type Run struct {
	Checker *Checker
	Options linestream.Options
	Stdin   io.Reader // for the file name "-"

	Emit       func(Finding) error // gets each finding, in the order of the lines; its error ends the run
	Unreadable func(error)         // gets the reason why an input cannot be read, or not to its end
	Tick       func()              // called after each line; may be nil
}

// Files judges files one after the other; see [linestream.Open] for their names and forms. The
// error is that of Emit.
func (r *Run) Files(names []string) (Summary, error) {
	var sum Summary
	for _, name := range names {
		src, err := linestream.Open(name, r.Stdin)
		if err != nil {
			sum.Unreadable++
			r.Unreadable(err)
			continue
		}
		err = r.input(name, src, &sum)
		src.Close() // nothing was written to it
		if err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// input judges every line of an input.
func (r *Run) input(name string, src io.Reader, sum *Summary) error {
	sum.Files++
	lines := linestream.NewReader(src, r.Options)
	for {
		l, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			sum.Unreadable++
			r.Unreadable(err)
			return nil
		}
		if err := r.line(name, l, sum); err != nil {
			return err
		}
		if r.Tick != nil {
			r.Tick()
		}
	}
}

// line judges one line of an input.
func (r *Run) line(name string, l *linestream.Line, sum *Summary) error {
	if l.Skipped != "" {
		sum.Skipped++
	}
	if l.Err != nil {
		sum.Lines++
		return r.emit(sum, name, l.Number, 0, one(Error, codec.Malformed, l.Err.Error()))
	}
	for i, p := range l.Parts {
		sum.Lines++
		if p.Kind == codec.BlankLine {
			sum.Blank++
		}
		part := 0
		if len(l.Parts) > 1 {
			part = i + 1
		}
		if err := r.emit(sum, name, l.Number, part, r.Checker.Check(p.Direction, p.Line)); err != nil {
			return err
		}
	}
	return nil
}

// emit counts the findings of one protocol line and passes them on.
func (r *Run) emit(sum *Summary, name string, line, part int, found []Finding) error {
	sum.Findings += len(found)
	switch {
	case hasError(found):
		sum.Invalid++
	case len(found) > 0:
		sum.Odd++
	}
	for _, f := range found {
		f.File, f.Line, f.Part = name, line, part
		if err := r.Emit(f); err != nil {
			return err
		}
	}
	return nil
}
