// Package recorded makes scripts of recordings: what the model said in a session that a tap has
// recorded, what tools gave back, errors of the API and pauses. The simulated CLI plays such a
// script for the same program of an SDK, which shows the same messages then.
//
// [ReadFile] takes recordings apart, [Make] puts the script together, and [Diff] tells two scripts
// apart.
//
// What the CLI asks the model is not in a recording, and what the model answers only as far as the
// CLI tells it. The notes of a script say what was left open.
package recorded
