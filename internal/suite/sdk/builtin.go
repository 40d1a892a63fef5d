package sdk

import (
	"io/fs"
	"sync"

	"github.com/ccwire/ccwire"
)

// All returns the scenarios that are built in, sorted by name. They are parsed at the first call.
var All = sync.OnceValues(func() ([]*Scenario, error) {
	fsys, err := fs.Sub(ccwire.SDKScenarios, "conformance/sdk-scenarios")
	if err != nil {
		return nil, err
	}
	return Load(fsys)
})
