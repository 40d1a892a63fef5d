// Package broken shows that the scenarios notice a CLI that breaks one thing.
//
// Its tests play recordings of the real CLI with a change of what it says. A scenario names the
// broken CLIs that it must fail on in its header "catches".
package broken
