// Package differ plays sessions on two CLIs, a real one and the simulated one, and compares what
// the user of an SDK sees of them.
//
// A session is a scenario whose script talks to the CLI and whose api.json is the model. [New]
// makes one of a number, as people write them with an SDK: a few things that belong together.
// [Pair.Play] plays it on both and names the differences; what two plays of the same CLI do not
// agree on is a race and counts for neither. known.txt lists the differences that are known, each
// with its reason.
package differ
