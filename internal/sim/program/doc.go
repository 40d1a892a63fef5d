// Package program runs the simulated CLI as programs and tests want it: with a script, a log and
// faults.
package program
