package baseline

import (
	"cmp"
	"slices"

	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// pairing is an item of the recording and the one of the session that it is compared with; -1 where
// one has none. At is the entry of the recording where it belongs.
type pairing struct{ was, is, at int }

// pairs pairs the items. Those whose lines vary are paired wherever they are, and left out if the
// other side has none.
func (c *comparison) pairs(was, is []item) (list []pairing) {
	inOrder, varying := c.split(was)
	inOrderToo, varyingToo := c.split(is)
	list = pairInOrder(was, is, inOrder, inOrderToo)
	return append(list, c.pairAlike(was, is, varying, varyingToo)...)
}

// split returns the numbers of the items whose lines come in order, and of those that vary.
func (c *comparison) split(items []item) (inOrder, varying []int) {
	for i := range items {
		if scenario.LineVaries(c.varies, items[i].kind) {
			varying = append(varying, i)
		} else {
			inOrder = append(inOrder, i)
		}
	}
	return inOrder, varying
}

// pairAlike pairs items of the same kind, those first that differ in the fewest members.
func (c *comparison) pairAlike(was, is []item, from, to []int) (list []pairing) {
	type candidate struct {
		pairing
		differences int
	}
	var candidates []candidate
	for _, i := range from {
		for _, j := range to {
			if was[i].kind == is[j].kind {
				fresh := comparison{varies: c.varies, byName: c.byName} // ids of pairs that are not made do not count
				candidates = append(candidates, candidate{pairing{i, j, was[i].entry}, len(fresh.members(&was[i], &is[j]))})
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.differences, b.differences) })
	for _, p := range candidates {
		if !slices.ContainsFunc(list, func(q pairing) bool { return q.was == p.was || q.is == p.is }) {
			list = append(list, p.pairing)
		}
	}
	slices.SortFunc(list, func(a, b pairing) int { return cmp.Compare(a.was, b.was) })
	return list
}

// pairInOrder pairs the items with these numbers, those of the same kind, in their order, and as
// many as it can.
func pairInOrder(was, is []item, from, to []int) (list []pairing) {
	// common[i][j] is how much the pairs of from[i:] and to[j:] count; equal texts count a little
	// more.
	common := make([][]int, len(from)+1)
	for i := range common {
		common[i] = make([]int, len(to)+1)
	}
	weight := func(i, j int) int {
		a, b := &was[from[i]], &is[to[j]]
		switch {
		case a.kind != b.kind:
			return 0
		case a.masked == b.masked:
			return 3
		}
		return 2
	}
	for i := len(from) - 1; i >= 0; i-- {
		for j := len(to) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if w := weight(i, j); w > 0 {
				common[i][j] = max(common[i][j], w+common[i+1][j+1])
			}
		}
	}
	i, j, at := 0, 0, 0
	for i < len(from) || j < len(to) {
		if i < len(from) {
			at = was[from[i]].entry
		}
		switch {
		case i < len(from) && j < len(to) && weight(i, j) > 0 && common[i][j] == weight(i, j)+common[i+1][j+1]:
			list = append(list, pairing{from[i], to[j], at})
			i, j = i+1, j+1
		case j == len(to) || i < len(from) && common[i+1][j] >= common[i][j+1]:
			list = append(list, pairing{from[i], -1, at})
			i++
		default:
			list = append(list, pairing{-1, to[j], at})
			j++
		}
	}
	return list
}
