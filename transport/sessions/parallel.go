package sessions

import (
	"slices"
	"strings"
)

// A message of the model that uses several tools at once is an entry for each, one after the other,
// and each result follows the entry of its tool: the conversation goes on from one of the results,
// and the walk back from its end misses the others.

// A batch is what was found of the messages of the model and of results of tools.
type batch struct {
	g       *graph
	on      map[string]bool // the nodes that have their place
	entries map[string][]*node
	user    map[string]*node // who used a tool; nil if that is not clear
	results map[string][]*node
}

// withSiblings puts the entries and results that the walk missed after the last entry of their
// message.
func (g *graph) withSiblings(chain []*node) []*node {
	anchor := map[string]*node{}
	b := &batch{g: g, on: map[string]bool{}, entries: map[string][]*node{}, user: map[string]*node{}, results: map[string][]*node{}}
	answered := map[string]bool{}
	for _, n := range chain {
		b.on[n.uuid] = true
		if n.message != "" {
			anchor[n.message] = n
		}
		for _, id := range n.answers {
			answered[id] = true
		}
	}
	if len(anchor) == 0 {
		return chain
	}
	b.collect()
	missed := map[string][]*node{}
	done := map[string]bool{}
	for _, n := range chain {
		if n.message != "" && !done[n.message] {
			done[n.message] = true
			missed[anchor[n.message].uuid] = b.missed(n.message, answered)
		}
	}
	var whole []*node
	for _, n := range chain {
		whole = append(append(whole, n), missed[n.uuid]...)
	}
	return whole
}

// collect finds the entries of each message, and the results of each entry.
func (b *batch) collect() {
	var results []*node
	for _, n := range b.g.nodes {
		switch {
		case n.message != "":
			b.entries[n.message] = append(b.entries[n.message], n)
			for _, id := range n.uses {
				if other, ok := b.user[id]; ok && (other == nil || other.message != n.message) {
					b.user[id] = nil
				} else {
					b.user[id] = n
				}
			}
		case n.result:
			results = append(results, n)
		}
	}
	for _, r := range results {
		b.belongs(r, r.link)
		if n := b.g.by[r.source]; n != nil && sameWriter(r, n) {
			b.belongs(r, n.uuid)
		}
		for _, id := range r.answers {
			if n := b.user[id]; n != nil && sameWriter(r, n) {
				b.belongs(r, n.uuid)
			}
		}
	}
}

func (b *batch) belongs(result *node, entry string) {
	if !slices.Contains(b.results[entry], result) {
		b.results[entry] = append(b.results[entry], result)
	}
}

// missed returns the entries and results of a message that are not in their place, and puts them
// there.
func (b *batch) missed(message string, answered map[string]bool) []*node {
	entries := b.entries[message]
	of := func(uuid string) bool {
		return slices.ContainsFunc(entries, func(n *node) bool { return n.uuid == uuid })
	}
	var siblings, results, strays []*node
	seen := map[string]bool{}
	for _, n := range entries {
		if !b.on[n.uuid] {
			siblings = append(siblings, n)
		}
		for _, r := range b.results[n.uuid] {
			switch {
			case b.on[r.uuid] || seen[r.uuid]:
			case of(r.link):
				results = append(results, r)
			default:
				strays = append(strays, r)
			}
			seen[r.uuid] = true
		}
	}
	results = b.takeStrays(results, strays, answered, of)
	earlier := func(a, b *node) int { return strings.Compare(a.time, b.time) }
	slices.SortStableFunc(siblings, earlier)
	slices.SortStableFunc(results, earlier)
	missed := append(siblings, results...)
	for _, n := range missed {
		b.on[n.uuid] = true
	}
	return missed
}

// takeStrays adds those results that follow something else and answer a use of the message that
// nothing else does.
func (b *batch) takeStrays(results, strays []*node, answered map[string]bool, of func(string) bool) []*node {
	if len(strays) == 0 {
		return results
	}
	taken := map[string]bool{}
	for _, r := range results {
		for _, id := range r.answers {
			taken[id] = true
		}
	}
	place := map[*node]int{}
	for i, n := range b.g.nodes {
		place[n] = i
	}
	slices.SortFunc(strays, func(a, b *node) int { return place[a] - place[b] })
	for _, r := range strays {
		if slices.ContainsFunc(r.answers, func(id string) bool {
			n := b.user[id]
			return !answered[id] && !taken[id] && n != nil && of(n.uuid)
		}) {
			for _, id := range r.answers {
				taken[id] = true
			}
			results = append(results, r)
		}
	}
	return results
}
