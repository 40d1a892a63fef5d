// Package seeds holds inputs for fuzzers of the protocol: whole streams that break parsers of
// lines, and frames of all kinds.
//
// [Write] writes them as files for any fuzzer: plain files for libFuzzer, AFL++, atheris and the
// like, with a dictionary of [Tokens], or the format of Go's testdata/fuzz.
package seeds
