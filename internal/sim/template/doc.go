// Package template has what the simulated CLI says from memory: the lists of what is built in, and
// the answers to requests that are rarely made. Long texts are "[prose]" in both.
//
// The answers are taken from the recordings of the newest version: the test of this package writes
// them anew with -update, and fails where they are not what the recordings have. The lists are
// those of the real CLI, of which recordings keep a few elements only; a live test of the simulated
// CLI compares them with it. Older versions have the lists and answers of their own recordings, as
// far as these keep them.
package template
