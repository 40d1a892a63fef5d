// Package template has what the simulated CLI says from memory: the lists of what is built in, and
// the answers to requests that are rarely made.
//
// Both are taken from the recordings of the newest version, where long texts are "[prose]", and
// what older versions say otherwise from theirs. The test of this package writes them anew with
// -update, and fails where they are not what the recordings have.
package template
