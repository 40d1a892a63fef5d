// Package broken makes CLIs that break one thing, to show that the scenarios notice it.
//
// Each is the simulated CLI with a change of what it says. A scenario names those that it must fail
// on in its header "catches".
package broken
