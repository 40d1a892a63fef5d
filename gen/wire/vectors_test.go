package wire_test

import (
	"slices"
	"testing"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/vectors"
	"github.com/ccwire/ccwire/schema"
)

// decoderOf returns the reader of a definition; lines of one direction are read as any line is.
func decoderOf(name string) (wire.Definition, bool) {
	if name == schema.FromCLI.Definition() || name == schema.FromSDK.Definition() {
		name = schema.Either.Definition()
	}
	i := slices.IndexFunc(wire.Definitions, func(d wire.Definition) bool { return d.Name == name })
	if i < 0 {
		return wire.Definition{}, false
	}
	return wire.Definitions[i], true
}

// notAlone are valid vectors that the decoder does not take by themselves, with the reason.
var notAlone = map[string]string{
	"example/permission/update.json/3": "a string of older peers, which a list keeps raw",
}

// TestTheDecoderAgreesWithEveryTestVector checks that the tolerant mode takes every valid vector,
// and refuses every invalid one or reports what is invalid about it.
func TestTheDecoderAgreesWithEveryTestVector(t *testing.T) {
	if testing.Short() {
		t.Skip("the vectors are made of all recordings; make test-all runs it")
	}
	all, err := vectors.All()
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, v := range all {
		d, ok := decoderOf(v.Definition)
		if !ok || notAlone[v.ID] != "" {
			continue
		}
		read++
		text := []byte(v.Value)
		if text == nil {
			if text, err = v.Bytes(); err != nil {
				t.Fatal(err)
			}
		}
		var deviations []codec.Deviation
		_, err := d.Decode(text, reporting(&deviations))
		invalid := slices.ContainsFunc(deviations, func(d codec.Deviation) bool { return d.Kind == codec.Invalid })
		if refused := err != nil || invalid; refused == *v.Valid {
			t.Errorf("%s: valid is %v, got %v, %v", v.ID, *v.Valid, err, deviations)
		}
	}
	if read < 2000 {
		t.Errorf("only %d vectors were read", read)
	}
}
