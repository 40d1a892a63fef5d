// Package buildinfo says which version of ccwire is running.
package buildinfo

import (
	"runtime"
	"runtime/debug"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/npm"
)

// Info is what there is to know about the running binary.
type Info struct {
	Version        string `json:"version"`         // of the module; "devel" if it was not built from a release
	SchemaRevision string `json:"schema_revision"` // of the schemas that the types come from
	NewestCLI      string `json:"newest_cli"`      // the newest CLI version verified
	Go             string `json:"go"`              // version of the Go tool chain
}

// Read returns the Info of the running binary.
func Read() Info {
	info := Info{Version: "devel", SchemaRevision: wire.Revision, NewestCLI: npm.Pinned(), Go: runtime.Version()}
	build, ok := debug.ReadBuildInfo()
	if ok && build.Main.Version != "" && build.Main.Version != "(devel)" {
		info.Version = build.Main.Version
	}
	return info
}
