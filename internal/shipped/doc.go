// Package shipped is what a program carries of the repository as texts: scenarios, sources, tables.
// With the build tag packed, which releases have, they are compressed.
package shipped

// Groups of files.
const (
	sources      = "sources"
	scenarios    = "scenarios"
	sdkScenarios = "sdk-scenarios"
	driverKits   = "driver-kits"
	accepts      = "accepts"
	tables       = "tables"
)

// The tables.
const (
	flagTable = "transport/cli/flags.json"
	history   = "conformance/history/names.txt"
)
