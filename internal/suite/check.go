package suite

import (
	"fmt"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/internal/exchange/clean"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
	"github.com/ccwire/ccwire/transport/cli"
)

// schemas are compiled at the first use.
var schemas = sync.OnceValues(func() (*schema.Set, *schema.Validator) {
	set := schema.Default()
	return set, set.Open()
})

// checkLine checks a line of the CLI: it must fit the open schemas and decode. The deviations are
// what the schemas do not name, and what the release, unless it is nil, does not write.
func checkLine(line []byte, r *schema.Release) (found []codec.Deviation, err error) {
	if clean.Quiet(schema.FromCLI, line) {
		return outdated(r, schema.FromCLI.Definition(), line, nil)
	}
	set, open := schemas()
	if err := open.ValidateFrame(schema.FromCLI, line); err != nil {
		return nil, fmt.Errorf("the line does not fit the schemas: %w", err)
	}
	if _, err := wire.Decode(line); err != nil {
		return nil, fmt.Errorf("the line does not decode: %w", err)
	}
	found, err = set.Lint(schema.FromCLI.Definition(), line)
	if err != nil {
		return nil, err
	}
	return outdated(r, schema.FromCLI.Definition(), line, found)
}

// checkBody checks the body of a reply: it must fit the open schemas and what was asked.
func checkBody(s *exchange.Subject, body []byte, r *schema.Release) (found []codec.Deviation, err error) {
	if s.Clean(body) && s.Definition() != "" {
		return outdated(r, s.Definition(), body, nil)
	}
	if s.Clean(body) {
		return nil, nil
	}
	definition := s.Definition()
	if definition == "" {
		return s.Unnamed(body), nil
	}
	set, open := schemas()
	err = open.Validate(definition, body)
	if list := s.Mismatches(body, open); err == nil && len(list) > 0 {
		err = &schema.Error{Violations: list}
	}
	if err != nil {
		return nil, fmt.Errorf("the body of the reply does not fit the schemas: %w", err)
	}
	if err := s.Decode(body, nil); err != nil {
		return nil, fmt.Errorf("the body of the reply does not decode: %w", err)
	}
	found, err = set.Lint(definition, body)
	if err != nil {
		return nil, err
	}
	return outdated(r, definition, body, found)
}

// outdated adds what a release does not write in a document.
func outdated(r *schema.Release, definition string, doc []byte, found []codec.Deviation) ([]codec.Deviation, error) {
	if r == nil {
		return found, nil
	}
	more, err := r.Lint(definition, doc)
	return append(found, more...), err
}

// releaseOf returns what a version writes, as far as it is recorded: nil for one that is older than
// all recordings, and for an unknown one.
func releaseOf(v cli.Version) *schema.Release {
	known := corpus.NotNewer(v.String())
	if v.IsZero() || known == "" {
		return nil
	}
	r, err := schema.Default().Release(known)
	if err != nil {
		return nil // a folder of recordings is always named after a version
	}
	return r
}
