// Package fuzz holds the fuzz targets of ccwire. Each has an oracle, so that it finds what is wrong
// and not only what panics:
//
//   - the framer equals a splitter that is written in the plainest way;
//   - a line decodes only if encoding/json accepts it, duplicates, invalid UTF-8
//     and deep nesting aside; what does not decode is not a valid frame;
//   - a line is valid by the closed form of the schemas exactly when the strict
//     mode decodes it, and exactly when the tolerant mode decodes it without a
//     deviation, to the same value;
//   - decoding and encoding loses nothing, and doing it again changes nothing.
//
// The targets of a connection and of a session are in package transport, beside their models.
//
// Run one with "go test -fuzz FuzzDecode ./fuzz", all with "make fuzz". The seeds come
// from package seeds; inputs that once failed are in testdata/fuzz.
//
// Package framing fuzzes the parsers of others.
package fuzz
