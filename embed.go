// Package ccwire holds the text of what "protogen vendor" copies. The packages to use are in the
// folders below: gen/wire for the types, transport for a session, schema for the specification.
package ccwire

import "embed"

// Sources holds the Go files of gen/wire, of transport and of the packages that these import, with
// their tests, and the licence, under their paths in the module.
//
//go:embed LICENSE codec/*.go gen/wire/*.go gen/wire/internal/run/*.go internal/jsontext/*.go
//go:embed transport/*.go transport/cli/*.go transport/internal/tail/*.go
var Sources embed.FS

// FlagTable is the table of the CLI's flags, transport/cli/flags.json.
//
//go:embed transport/cli/flags.json
var FlagTable []byte
