// Package parsers has the test that runs the framing fuzzer on parsers of the registries and of
// standard libraries, each with a small program of this folder around it, and compares what it
// finds with docs/parsers.md: make languages. With -update it writes the page: make parsers.
//
// Only the hand-made streams are played, to persistent parsers.
package parsers
