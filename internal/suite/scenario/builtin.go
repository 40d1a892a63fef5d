package scenario

import (
	"fmt"
	"io/fs"
	"sync"

	"github.com/ccwire/ccwire/internal/shipped"
)

const builtinFolder = "conformance/scenarios"

// All returns the scenarios that are built in, sorted by name. They are parsed at the first call.
var All = sync.OnceValues(func() ([]*Scenario, error) {
	fsys, err := fs.Sub(shipped.Scenarios(), builtinFolder)
	if err != nil {
		return nil, err
	}
	return Load(fsys)
})

// Source returns the text of a scenario, AREA/NAME. The error wraps [fs.ErrNotExist] if there is
// none.
func Source(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("scenario %q: %w", name, fs.ErrNotExist)
	}
	return fs.ReadFile(shipped.Scenarios(), builtinFolder+"/"+name+".txtar")
}
