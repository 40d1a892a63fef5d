package values_test

import (
	"testing"

	"github.com/ccwire/ccwire/internal/values"
	"github.com/ccwire/ccwire/schema"
)

func TestTheClosedFormTellsMadeTranscriptEntriesFromBrokenOnes(t *testing.T) {
	set, name := schema.Transcripts(), schema.TranscriptEntry
	closed, open, mutants := values.Of(set, name), values.Of(set, name, values.Open()), values.Mutants(set, name)
	seeds := 300
	if testing.Short() {
		seeds /= 5
	}
	for seed := range seeds {
		v := closed.Example(seed)
		if err := set.Closed().Validate(name, v); err != nil {
			t.Errorf("%v\n%s", err, v)
		}
		if found, err := set.Lint(name, v); err != nil || len(found) > 0 {
			t.Errorf("%v, %v\n%s", found, err, v)
		}
		if v := open.Example(seed); set.Open().Validate(name, v) != nil {
			t.Errorf("the open form rejects %s", v)
		}
		m := mutants.Example(seed)
		switch m.Mutation {
		case values.DropRequired, values.ExtraMember, values.Duplicate:
			if set.Closed().Validate(name, m.JSON) == nil {
				t.Errorf("the closed form accepts %s", m)
			}
		}
	}
}
