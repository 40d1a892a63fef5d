// Package scenarios holds the scenarios for SDKs, one txtar file each, in a folder per area.
// docs/sdk-scenarios.md describes the format.
package scenarios

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/ccwire/ccwire/internal/conformance/sdk"
)

//go:embed */*.txtar
var files embed.FS

// All returns the scenarios, sorted by name. They are parsed at the first call.
var All = sync.OnceValues(func() ([]*sdk.Scenario, error) { return sdk.Load(files) })

// Source returns the text of a scenario, AREA/NAME. The error wraps [fs.ErrNotExist] if there is
// none.
func Source(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("scenario %q: %w", name, fs.ErrNotExist)
	}
	return files.ReadFile(name + ".txtar")
}
