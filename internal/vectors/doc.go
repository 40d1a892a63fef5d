// Package vectors writes what this repository knows about right and wrong lines as data, for tests
// in any language: the examples and the rejects of the schemas, the streams that break parsers of
// lines, and a selection of recorded lines.
//
// The output is one JSON object per line, a [Header] and then a [Vector] for each. Equal schemas
// and recordings give equal bytes. docs/vectors.md describes the members.
package vectors
