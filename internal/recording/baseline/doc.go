// Package baseline compares a session with the recording of the same scenario on the same version
// of the CLI. Whatever differs is a change, whether the scenario looks at it or not: a line that is
// missing, doubled or elsewhere, a member that is missing or has another value. Values that differ
// from run to run are stand-ins in recordings; ids are compared by the places that have the same
// one. What else goes one of several ways, the scenario says.
package baseline
