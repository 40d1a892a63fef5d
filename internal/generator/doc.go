// Package generator turns the schemas into the Go package of wire types.
//
// It runs in plain passes, one file each:
//
//	load    the schema files, with the structure as go-jsonschema models it and our annotations
//	model   what to generate: structs, enums, unions, choices between kinds
//	build   the model out of the schemas
//	names   names that are not exported; the others are those of package naming
//	emit    the Go source, by jennifer: types, readers, writers, calls
//	output  the files, compared with what is there or written
//
// A subset of the schemas goes the same way: subset says which files it has, and build leaves out
// the rest.
//
// The output depends on the schemas alone and is the same on every run.
package generator
