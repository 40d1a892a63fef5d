package framing

import "slices"

// mostCells is how large a table for the best alignment may be. What is larger is aligned greedily.
const mostCells = 1 << 20

// align finds out which frames did not come (missing), also those that need not, and what came that
// is no frame in its place (extra, into got). Those that must come and did not, and what is extra,
// are as few as possible.
func align(expected []Expected, got []any) (missing []Expected, extra []int) {
	from := 0
	for from < min(len(expected), len(got)) && expected[from].Must && expected[from].matches(got[from]) {
		from++
	}
	to, end := len(expected), len(got)
	for to > from && end > from && expected[to-1].Must && expected[to-1].matches(got[end-1]) {
		to, end = to-1, end-1
	}
	if (to-from+1)*(end-from+1) > mostCells {
		missing, extra = alignGreedily(expected[from:to], got[from:end])
	} else {
		missing, extra = alignBest(expected[from:to], got[from:end])
	}
	for i := range extra {
		extra[i] += from
	}
	return missing, extra
}

// alignBest fills a table with what it costs to go on from each place.
func alignBest(expected []Expected, got []any) (missing []Expected, extra []int) {
	rows, columns := len(expected)+1, len(got)+1
	costs := make([]int, rows*columns)
	step := func(i, j int) (cost int, match bool) {
		cost = 1 << 30
		if i < len(expected) {
			cost = costs[(i+1)*columns+j] + expected[i].cost()
		}
		if j < len(got) {
			cost = min(cost, costs[i*columns+j+1]+1)
		}
		if i < len(expected) && j < len(got) && expected[i].matches(got[j]) {
			if through := costs[(i+1)*columns+j+1]; through <= cost {
				return through, true
			}
		}
		return cost, false
	}
	for i := rows - 1; i >= 0; i-- {
		for j := columns - 1; j >= 0; j-- {
			if i < len(expected) || j < len(got) {
				costs[i*columns+j], _ = step(i, j)
			}
		}
	}
	for i, j := 0, 0; i < len(expected) || j < len(got); {
		switch cost, match := step(i, j); {
		case match:
			i, j = i+1, j+1
		case i < len(expected) && cost == costs[(i+1)*columns+j]+expected[i].cost():
			missing = append(missing, expected[i])
			i++
		default:
			extra = append(extra, j)
			j++
		}
	}
	return missing, extra
}

// cost is what it costs that a frame does not come out.
func (e *Expected) cost() int {
	if e.Must {
		return 1
	}
	return 0
}

// alignGreedily goes on at the nearest place at which frames are right again.
func alignGreedily(expected []Expected, got []any) (missing []Expected, extra []int) {
	i, j := 0, 0
	for i < len(expected) && j < len(got) {
		skip, over := resume(expected[i:], got[j:])
		missing = append(missing, expected[i:i+skip]...)
		for n := range over {
			extra = append(extra, j+n)
		}
		i, j = i+skip, j+over
		if i < len(expected) && j < len(got) {
			i, j = i+1, j+1
		}
	}
	for ; j < len(got); j++ {
		extra = append(extra, j)
	}
	return append(missing, expected[i:]...), extra
}

// resume returns how many frames and how many values to leave out so that the next ones match: two
// of them, between which a few frames may be lost if frames alone are left out.
func resume(expected []Expected, got []any) (skip, over int) {
	matches := func(i, j int) bool {
		return i < len(expected) && j < len(got) && expected[i].matches(got[j])
	}
	goesOn := func(i, j int) bool {
		return matches(i+1, j+1) || i+1 >= len(expected) || j+1 >= len(got) || j == 0 && (matches(i+2, 1) || matches(i+3, 1))
	}
	if matches(0, 0) {
		return 0, 0
	}
	const near = 100
	for sum := range near {
		for over := range sum + 1 {
			skip := sum - over
			if matches(skip, over) && goesOn(skip, over) {
				return skip, over
			}
		}
	}
	if i := slices.IndexFunc(expected, func(e Expected) bool { return e.matches(got[0]) }); i >= 0 {
		return i, 0
	}
	for over = 1; over < len(got); over++ {
		if matches(0, over) {
			return 0, over
		}
	}
	return len(expected), len(got)
}

func must(expected []Expected) []Expected {
	return slices.DeleteFunc(slices.Clone(expected), func(e Expected) bool { return !e.Must })
}
