package framing

import "slices"

// A Finding is something that the parser gets wrong: one cause, with a stream that shows it.
type Finding struct {
	Problem
	Streams int      // how many streams showed it
	Also    []string // the names of those other than Stream
	Stream  Stream   // the smallest of them

	// Script is set if the stream must arrive in pieces or is too long for a file: sh runs it, and
	// it writes the stream. Otherwise the stream shows the finding when it is read from a file.
	Script string

	// Unsteady says that the parser got the stream right when it was fed again.
	Unsteady bool

	// Unconfirmed says that there was no time to feed the stream again.
	Unconfirmed bool

	cause   behaviour
	symptom symptom
	traits  []string // of the stream, as far as they matter
	limit   int      // of a LineLimit: how long the shortest line is that fails
	edge    int      // of what happens to a line that ends there in the stream: a usual size of a buffer
	outcome *outcome
}

// Does says what the parser does wrong, such as "stops at a blank line".
func (f *Finding) Does() string { return f.cause.text }

// everywhere reports whether the cause is in no part of a stream that could be left out.
func (f *Finding) everywhere() bool {
	return f.limit == 0 && f.edge == 0 && !slices.ContainsFunc(f.traits, func(t string) bool { return t != manyLines })
}

// mayExplain reports whether a failure can have the same cause. What is about long lines, pieces or
// splitting shows in many ways.
func (f *Finding) mayExplain(failed *failure) bool {
	switch f.cause.id {
	case "edge":
		return false
	case "limit", "pieces", "pieces-character", "at-end", "last-line":
		return failed.Kind != Hang
	case "splits":
		return failed.Kind != Hang && (failed.Kind != Crash || f.symptom.kind == Crash)
	}
	if f.cause.id == f.symptom.effect()+" at "+classes[0].name {
		return f.symptom.effect() == failed.symptom.effect() // it takes nothing that it cannot read
	}
	g := failure{Problem: f.Problem, symptom: f.symptom, traits: f.traits}
	return g.sameEffect(failed)
}

// also counts a stream.
func (f *Finding) also(names ...string) {
	for _, name := range names {
		f.Streams++
		if name != f.Stream.Name && !slices.Contains(f.Also, name) {
			f.Also = append(f.Also, name)
		}
	}
}

// add keeps a finding, or counts it for the one with the same cause, of which the better stream is
// kept. It returns the index of the finding. A hang that does not happen again is none, and gives
// -1: a busy machine accuses no parser.
func (r *Report) add(f Finding) int {
	for i := range r.Findings {
		known := &r.Findings[i]
		if known.cause.id != f.cause.id {
			continue
		}
		if known.Unsteady && !f.Unsteady || known.Unsteady == f.Unsteady && compareStreams(f.Stream, f.traits, known.Stream, known.traits) < 0 {
			f.Streams, f.Also = known.Streams, known.Also
			f.also(known.Stream.Name)
			*known = f
		} else {
			known.also(f.Stream.Name)
		}
		return i
	}
	if f.Unsteady && f.symptom.kind == Hang {
		r.Stalls++
		return -1
	}
	r.Findings = append(r.Findings, f)
	return len(r.Findings) - 1
}
