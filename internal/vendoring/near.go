package vendoring

import "strings"

// nearest returns the names that somebody may have meant: those that differ by at most two letters,
// and those that begin with what was written, or the other way round.
func nearest(name string, list []string) (near []string) {
	name = strings.ToLower(name)
	for _, other := range list {
		begins := name != "" && (strings.HasPrefix(other, name) || strings.HasPrefix(name, other))
		if begins || distance(name, other) <= min(2, len(other)/2) {
			near = append(near, other)
		}
	}
	return near
}

// distance returns how many letters must be added, removed or replaced to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
