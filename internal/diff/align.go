package diff

import (
	"cmp"
	"slices"
	"sort"
)

// A pair is an item of the one recording and the one of the other that it is compared with, by
// their numbers; -1 where one has none.
type pair struct{ a, b int }

// most is how many items of a gap are compared with as many of the other side.
const most = 500

// align pairs the items of two recordings, lane by lane, and returns the pairs in the order of the
// first recording; what it does not have is after what it follows in the second.
func align(a, b []*item, lane func(*item) int) (list []pair) {
	var lanes [][2][]int
	for side, items := range [][]*item{a, b} {
		for i, it := range items {
			n := lane(it)
			for len(lanes) <= n {
				lanes = append(lanes, [2][]int{})
			}
			lanes[n][side] = append(lanes[n][side], i)
		}
	}
	al := aligner{a: a, b: b, partner: make([]int, len(b))}
	for i := range al.partner {
		al.partner[i] = -1
	}
	for _, l := range lanes {
		al.lane(l[0], l[1])
	}
	paired := make([]bool, len(a))
	after := -1 // the item of a that the last paired one of b has
	type placed struct {
		pair
		after int
	}
	var all []placed
	for j, i := range al.partner {
		if i >= 0 {
			paired[i], after = true, i
			all = append(all, placed{pair{i, j}, i})
		} else {
			all = append(all, placed{pair{-1, j}, after})
		}
	}
	for i := range a {
		if !paired[i] {
			all = append(all, placed{pair{i, -1}, i})
		}
	}
	slices.SortStableFunc(all, func(x, y placed) int {
		return cmp.Or(cmp.Compare(x.after, y.after), cmp.Compare(y.a, x.a), cmp.Compare(x.b, y.b))
	})
	for _, p := range all {
		list = append(list, p.pair)
	}
	return list
}

type aligner struct {
	a, b    []*item
	partner []int // of b, in a
}

// lane pairs the items with these numbers: around those that say the same and are there once.
func (al *aligner) lane(from, to []int) {
	type place struct{ i, j, n, m int }
	places := map[uint64]*place{}
	for i, x := range from {
		p := places[al.a[x].sum]
		if p == nil {
			p = new(place)
			places[al.a[x].sum] = p
		}
		p.i, p.n = i, p.n+1
	}
	for j, y := range to {
		if p := places[al.b[y].sum]; p != nil {
			p.j, p.m = j, p.m+1
		}
	}
	var once []pair
	for _, p := range places {
		if p.n == 1 && p.m == 1 {
			once = append(once, pair{p.i, p.j})
		}
	}
	slices.SortFunc(once, func(x, y pair) int { return cmp.Compare(x.a, y.a) })
	i, j := 0, 0
	for _, p := range append(increasing(once), pair{len(from), len(to)}) {
		al.gap(from[i:p.a], to[j:p.b])
		if p.a < len(from) {
			al.partner[to[p.b]] = from[p.a]
		}
		i, j = p.a+1, p.b+1
	}
}

// increasing returns a longest part of the pairs in which b increases as a does.
func increasing(pairs []pair) []pair {
	before := make([]int, len(pairs))
	var ends []int // the pair that the best part of each length ends with
	for i, p := range pairs {
		n := sort.Search(len(ends), func(k int) bool { return pairs[ends[k]].b >= p.b })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	var list []pair
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			list = append(list, pairs[i])
		}
	}
	slices.Reverse(list)
	return list
}

// gap pairs what is between two pairs.
func (al *aligner) gap(from, to []int) {
	for len(from) > 0 && len(to) > 0 && al.a[from[0]].sum == al.b[to[0]].sum {
		al.partner[to[0]] = from[0]
		from, to = from[1:], to[1:]
	}
	for len(from) > 0 && len(to) > 0 && al.a[from[len(from)-1]].sum == al.b[to[len(to)-1]].sum {
		al.partner[to[len(to)-1]] = from[len(from)-1]
		from, to = from[:len(from)-1], to[:len(to)-1]
	}
	if len(from) == 0 || len(to) == 0 {
		return
	}
	// A long gap is cut into parts, so that the work does not grow with the square of it.
	parts := 1 + max(len(from), len(to))/most
	for p := range parts {
		al.common(from[len(from)*p/parts:len(from)*(p+1)/parts], to[len(to)*p/parts:len(to)*(p+1)/parts])
	}
}

// common pairs items in their order so that as many as can be, and as alike as can be, are paired.
func (al *aligner) common(from, to []int) {
	width := len(to) + 1
	best := make([]int32, (len(from)+1)*width)
	for i := len(from) - 1; i >= 0; i-- {
		for j := len(to) - 1; j >= 0; j-- {
			n := max(best[(i+1)*width+j], best[i*width+j+1])
			if w := alike(al.a[from[i]], al.b[to[j]]); w > 0 {
				n = max(n, w+best[(i+1)*width+j+1])
			}
			best[i*width+j] = n
		}
	}
	for i, j := 0, 0; i < len(from) && j < len(to); {
		w := alike(al.a[from[i]], al.b[to[j]])
		switch {
		case w > 0 && best[i*width+j] == w+best[(i+1)*width+j+1]:
			al.partner[to[j]] = from[i]
			i, j = i+1, j+1
		case best[(i+1)*width+j] >= best[i*width+j+1]:
			i++
		default:
			j++
		}
	}
}

// alike says how much a pair of items counts, 0 if they cannot be one.
func alike(a, b *item) int32 {
	switch {
	case a.Kind != b.Kind:
		return 0
	case a.sum == b.sum:
		return 7
	case a.point == b.point:
		return 4
	}
	return 2
}
