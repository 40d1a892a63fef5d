package conformance

import (
	"fmt"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/conformance/clean"
	"github.com/ccwire/ccwire/schema"
)

// schemas are compiled at the first use.
var schemas = sync.OnceValues(func() (*schema.Set, *schema.Validator) {
	set := schema.Default()
	return set, set.Open()
})

// checkLine checks a line of the CLI: it must fit the open schemas and decode. The deviations are
// what the schemas do not name.
func checkLine(line []byte) (found []codec.Deviation, err error) {
	if clean.Quiet(schema.FromCLI, line) {
		return nil, nil
	}
	set, open := schemas()
	if err := open.ValidateFrame(schema.FromCLI, line); err != nil {
		return nil, fmt.Errorf("the line does not fit the schemas: %w", err)
	}
	if _, err := wire.Decode(line); err != nil {
		return nil, fmt.Errorf("the line does not decode: %w", err)
	}
	return set.Lint(schema.FromCLI.Definition(), line)
}

// checkBody checks the body of a reply, if there is a definition of that name.
func checkBody(definition string, body []byte) (found []codec.Deviation, err error) {
	if len(body) == 0 || schema.Default().Lookup(definition) == nil {
		return nil, nil
	}
	set, open := schemas()
	if err := open.Validate(definition, body); err != nil {
		return nil, fmt.Errorf("the body of the reply does not fit the schemas: %w", err)
	}
	return set.Lint(definition, body)
}
