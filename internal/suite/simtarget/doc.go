// Package simtarget lets the conformance suite judge the simulated CLI: each session runs in this
// process, over pipes, in scratch folders as those of a real CLI.
package simtarget
