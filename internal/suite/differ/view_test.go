package differ

import (
	"slices"
	"testing"
)

func TestAMessageOfSeveralLinesIsOne(t *testing.T) {
	const stderr = "Error in it: [\n  {\n    \"code\": 1\n  }\n]\n\nanother\nthe third\n"
	want := []string{`Error in it: [ { "code": 1 } ]`, "another", "the third"}
	if got := said(stderr); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
