package linecheck

import (
	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linestream"
)

// A verdict is what there is to say of the lines of a block.
type verdict struct {
	lines int // of the input
	sum   Summary
	found []Finding // without the name of the file

	omitted, errors int // findings past the limit, and those of them that are errors

	notes  []note // of the lines that have a part in an exchange, and of headers
	bodies []byte // those of the answers
}

// reset makes the verdict an empty one.
func (v *verdict) reset() {
	const keep = 1 << 20
	if cap(v.bodies) > keep {
		v.bodies = nil
	}
	*v = verdict{found: v.found[:0], notes: v.notes[:0], bodies: v.bodies[:0]}
}

// judge judges the lines of a block, with a limit on the findings that are kept; 0 means none. The
// bodies of answers are for [Checker.answers].
func (c *Checker) judge(v *verdict, lines *linestream.Reader, most int) {
	v.reset()
	for {
		l, err := lines.Next()
		if err != nil {
			return // the end of the block
		}
		v.lines++
		if l.Skipped != "" {
			v.sum.Skipped++
		}
		if l.Begins {
			v.notes = append(v.notes, note{begins: true, session: l.Session})
		}
		if l.Err != nil {
			v.add(l.Number, 0, one(Error, codec.Malformed, l.Err.Error()), most)
		}
		for i, p := range l.Parts {
			part := 0
			if len(l.Parts) > 1 {
				part = i + 1
			}
			if p.Kind == codec.BlankLine {
				v.sum.Blank++
			}
			found, frame := c.check(p.Direction, p.Line)
			v.add(l.Number, part, found, most)
			if p.Kind == codec.ObjectLine && !c.transcript {
				v.note(l, part, &p, frame, found)
			}
		}
	}
}

// add counts the findings of one protocol line and keeps them.
func (v *verdict) add(line, part int, found []Finding, most int) {
	v.sum.Lines++
	v.sum.Findings += len(found)
	switch {
	case hasError(found):
		v.sum.Invalid++
	case len(found) > 0:
		v.sum.Odd++
	}
	for _, f := range found {
		if most > 0 && len(v.found) >= most {
			v.omit(f.Severity)
			continue
		}
		f.Line, f.Part = line, part
		v.found = append(v.found, f)
	}
}

// omit counts a finding that is not kept.
func (v *verdict) omit(s Severity) {
	v.omitted++
	if s == Error {
		v.errors++
	}
}
