// Package baseline compares a session with the recording of the same scenario on the same version
// of the CLI. Recordings of one version are equal, so whatever differs is a change, whether the
// scenario looks at it or not: a line that is missing, doubled or elsewhere, a member that is
// missing or has another value. Values that differ from run to run are stand-ins in recordings.
package baseline
