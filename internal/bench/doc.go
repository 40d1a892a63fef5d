// Bench compares the generated codec with the ways in which stream-json is decoded elsewhere:
// libraries, and the strategies that SDKs use.
//
// All of them run in one process on the same lines, round by round in turn, so that a noisy machine
// disturbs them alike; the result is the median of the ratios of their processor time. The
// libraries have the easier job: they are told the type of each line beforehand.
//
// The last lines are RATIO name value, higher is better for ccwire.
package main
