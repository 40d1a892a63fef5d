// Package ccwire holds data that the packages below it share, as it is in the repository: the text
// of what "protogen vendor" copies, and what is in conformance. The packages to use are in the
// folders below: gen/wire for the types, transport for a session, schema for the specification,
// conformance and fuzz for tests.
package ccwire

import "embed"

// Sources holds the Go files of gen/wire, of transport and of the packages that these import,
// without their tests and what is generated, and the licence, under their paths in the module. No
// pattern can leave files out: the first for a folder takes the names that do not end in "t.go",
// which tests do, or in "n.go", which generated files do, and others take the rest.
//
//go:embed LICENSE codec/*[^t].go gen/wire/*[^tn].go gen/wire/*[^s]t.go gen/wire/*[^e]n.go
//go:embed gen/wire/internal/run/*[^t].go gen/wire/internal/run/*[^s]t.go
//go:embed internal/jsontext/*[^t].go internal/jsontext/*[^s]t.go internal/jsontext/*[^t]est.go
//go:embed transport/*[^t].go transport/*[^s]t.go
//go:embed transport/cli/*[^t].go transport/cli/*[^s]t.go internal/tail/*[^t].go
var Sources embed.FS

// FlagTable is the table of the CLI's flags, transport/cli/flags.json.
//
//go:embed transport/cli/flags.json
var FlagTable []byte

// Scenarios holds the scenarios for CLIs, conformance/scenarios/AREA/NAME.txtar.
//
//go:embed conformance/scenarios/*/*.txtar
var Scenarios embed.FS

// SDKScenarios holds the scenarios for SDKs, conformance/sdk-scenarios/AREA/NAME.txtar.
//
//go:embed conformance/sdk-scenarios/*/*.txtar
var SDKScenarios embed.FS

// Recordings holds what real CLIs wrote, compressed: a pack of each folder of recordings,
// conformance/recordings/packed/VERSION/AREA.txtar.gz and packed/sessions/VERSION.txtar.gz.
//
//go:embed conformance/recordings/packed/*/*.txtar.gz
var Recordings embed.FS

// Transcripts holds entries of transcript files, compressed as the recordings are:
// conformance/transcripts/packed/VERSION.txtar.gz.
//
//go:embed conformance/transcripts/packed/*.txtar.gz
var Transcripts embed.FS

// DriverKits holds what drivers are begun with, conformance/driver/kit/LANG.
//
//go:embed conformance/driver/kit
var DriverKits embed.FS

// Accepts holds what real CLIs do with changed lines of SDKs, conformance/accepts/KIND.txt.
//
//go:embed conformance/accepts/*.txt
var Accepts embed.FS

// History holds what releases of the CLI answer to names, conformance/history/names.txt.
//
//go:embed conformance/history/names.txt
var History string
