package framing

import "slices"

// A Finding is something that the parser gets wrong: one cause, with a stream that shows it.
type Finding struct {
	Problem
	Streams int    // how many streams showed it
	Stream  Stream // the smallest of them

	// Script is set if the stream must arrive in pieces or is too long for a file: sh runs it, and
	// it writes the stream. Otherwise the stream shows the finding when it is read from a file.
	Script string

	// Unsteady says that the parser got the stream right when it was fed again.
	Unsteady bool

	symptom symptom
	traits  []string // of the stream, as far as they matter
	limit   int      // of a LineLimit: how long the shortest line is that fails
	edge    int      // of what happens to a line that ends there in the stream: a usual size of a buffer
	outcome *outcome
}

// everywhere reports whether the cause is in no part of a stream that could be left out.
func (f *Finding) everywhere() bool {
	return f.limit == 0 && f.edge == 0 && !slices.ContainsFunc(f.traits, func(t string) bool { return t != manyLines })
}

// sameCause reports whether two findings are one.
func (f *Finding) sameCause(g *Finding) bool {
	if f.limit > 0 || g.limit > 0 {
		return f.limit > 0 && g.limit > 0
	}
	if f.edge > 0 || g.edge > 0 {
		return f.edge > 0 && g.edge > 0 && f.symptom == g.symptom
	}
	return f.symptom == g.symptom && slices.Equal(f.traits, g.traits)
}

// add keeps a finding, or counts it for the one with the same cause, of which the better stream is
// kept. It returns the index of the finding. A hang that does not happen again is none, and gives
// -1: a busy machine accuses no parser.
func (r *Report) add(f Finding) int {
	for i := range r.Findings {
		known := &r.Findings[i]
		if !known.sameCause(&f) {
			continue
		}
		f.Streams += known.Streams
		known.Streams = f.Streams
		if known.Unsteady && !f.Unsteady || known.Unsteady == f.Unsteady && compareStreams(f.Stream, f.traits, known.Stream, known.traits) < 0 {
			*known = f
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
