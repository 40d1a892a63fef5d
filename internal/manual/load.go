package manual

import (
	"sync"

	"github.com/ccwire/ccwire/internal/manual/shown"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

// Load returns the manual of the schemas and recordings that are built in.
var Load = sync.OnceValues(func() (*Manual, error) {
	kept, err := shown.Kept()
	if err != nil {
		return nil, err
	}
	return New(kept, corpus.Versions())
})
