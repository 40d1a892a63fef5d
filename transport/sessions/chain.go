package sessions

import (
	"cmp"
	"slices"
)

// relink puts what compactions have kept between their summary and what follows.
func (g *graph) relink() {
	for _, boundary := range g.nodes {
		k := boundary.kept
		if k == nil {
			continue
		}
		first, last := k.head, k.tail
		if k.uuids != nil {
			if len(k.uuids) == 0 || slices.ContainsFunc(k.uuids, func(id string) bool { return g.by[id] == nil }) {
				continue
			}
			first, last = k.uuids[0], k.uuids[len(k.uuids)-1]
			before := k.anchor
			for _, id := range k.uuids {
				g.by[id].link, before = before, id
			}
		} else if head := g.by[first]; head != nil {
			head.link = k.anchor
		}
		for _, n := range g.nodes {
			if n.link == k.anchor && n.uuid != first {
				n.link = last
			}
		}
	}
}

// leaf returns the message that the conversation ends with, nil if there is none: the last one that
// nothing of the conversation follows.
func (g *graph) leaf() *node {
	followed := map[string]bool{}
	for _, n := range g.nodes {
		if n.link != "" && n.main() {
			followed[n.link] = true
		}
	}
	byPlace := slices.SortedFunc(slices.Values(g.nodes), func(a, b *node) int { return cmp.Compare(b.at, a.at) })
	seen := map[string]bool{}
	for _, n := range byPlace {
		if n.main() && !followed[n.uuid] {
			if m := g.speaker(n, seen); m != nil {
				return m
			}
		}
	}
	return g.anyLeaf(byPlace)
}

// speaker returns the nearest message, from a node back. It does not look at nodes that were seen.
func (g *graph) speaker(n *node, seen map[string]bool) *node {
	for n != nil && !seen[n.uuid] {
		if n.speaks() {
			return n
		}
		seen[n.uuid] = true
		n = g.by[n.link]
	}
	return nil
}

// anyLeaf returns the message that a file of subagents ends with.
func (g *graph) anyLeaf(byPlace []*node) *node {
	followed := map[string]bool{}
	for _, n := range g.nodes {
		followed[n.link] = true
	}
	var leaves []*node
	for _, n := range byPlace {
		if followed[n.uuid] {
			continue
		}
		if m := g.speaker(n, map[string]bool{}); m != nil {
			leaves = append(leaves, m)
		}
	}
	if len(leaves) == 0 {
		return nil
	}
	later := func(a, b *node) int { return cmp.Compare(a.at, b.at) }
	if main := slices.DeleteFunc(slices.Clone(leaves), func(n *node) bool { return n.sidechain || n.team || n.meta }); len(main) > 0 {
		return slices.MaxFunc(main, later)
	}
	return slices.MaxFunc(leaves, later)
}

// walk returns the nodes from the first one to a leaf.
func (g *graph) walk(leaf *node) []*node {
	var chain []*node
	seen := map[string]bool{}
	for n := leaf; n != nil && !seen[n.uuid]; n = g.by[n.link] {
		seen[n.uuid] = true
		chain = append(chain, n)
	}
	slices.Reverse(chain)
	return chain
}

// conversation returns the nodes of the conversation in their order.
func (g *graph) conversation() (chain []*node, leaf *node) {
	g.relink()
	if leaf = g.leaf(); leaf == nil {
		return nil, nil
	}
	return g.withSiblings(g.walk(leaf)), leaf
}

// last returns the chain of a file with one agent, which ends with its last message.
func (g *graph) last() []*node {
	for _, n := range slices.Backward(g.all) {
		if n.speaks() {
			return g.walk(g.by[n.uuid])
		}
	}
	return nil
}
