package manual

import (
	"sync"

	"github.com/ccwire/ccwire/internal/conformance/recordings"
	"github.com/ccwire/ccwire/internal/manual/shown"
)

// Load returns the manual of the schemas and recordings that are built in.
var Load = sync.OnceValues(func() (*Manual, error) {
	kept, err := shown.Kept()
	if err != nil {
		return nil, err
	}
	return New(kept, recordings.Versions())
})
