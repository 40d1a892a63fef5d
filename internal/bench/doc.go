// Bench compares the generated codec with the ways in which stream-json is decoded elsewhere:
// libraries, and the strategies that SDKs use.
//
// All of them run in one process on one corpus, round by round in turn, so that a noisy machine
// disturbs them alike; the result is the median of the rounds' ratios. The libraries have the
// easier job: they are told the type of each line beforehand and drop the members that they do not
// know.
//
// The last lines are one per goal: RATIO name value, higher is better for ccwire.
package main
