// Package laws checks what holds in every session of every CLI, whatever is played in it: one
// session id, unique ids of lines, one result for each tool use and each turn, the grammar of
// stream events, sums of costs and usage, rounds of turns, texts that are the sum of their deltas,
// a mode and tools that stay. A scenario looks for what it is about; a law notices what none of
// them is about.
//
// Each law holds in all recordings of this repository, which the tests of the package check.
package laws
