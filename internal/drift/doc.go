// Package drift says what changed on the wire between two versions of the CLI, from recordings of
// the same scenarios, and what somebody who maintains an SDK must do about it.
package drift
