// Package ccwire holds the text of what "protogen vendor" copies. The packages
// to use are in the folders below: gen/wire for the types, transport for a
// session, schema for the specification.
package ccwire

import "embed"

// Sources holds the Go files of the packages codec and gen/wire, with their
// tests, and the licence, under their paths in the module.
//
//go:embed LICENSE codec/*.go gen/wire/*.go
var Sources embed.FS
