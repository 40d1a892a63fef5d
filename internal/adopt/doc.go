// Package adopt has a small SDK twice: before is written as public SDKs are, with a parser over
// maps and a control protocol by hand, and after is the same SDK on package wire. Its tests run
// both over all recordings and test vectors and list what the first loses, in testdata/losses.txt;
// the twin must lose no line.
//
// docs/replace-your-parser.md walks from the one to the other. Its code is that of the two
// packages: what stands between the comments "//doc:NAME" and "//doc:end".
package adopt
