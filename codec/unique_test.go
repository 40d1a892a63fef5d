package codec

import (
	"strings"
	"testing"
)

func TestMembersInsideRawValuesMayRepeatExceptInTheStrictMode(t *testing.T) {
	for _, row := range []struct {
		text, path string
		offset     int
	}{
		{`{"a":1,"a":2}`, "/a", 11},
		{`[{"b":{"a":1,"\u0061":2}}]`, "/0/b/a", 22},
		{`{"a":[{},{"x":1, "x" : 2}]}`, "/a/1/x", 22},
	} {
		var v Raw
		d := decoderOf(row.text, nil)
		if !d.Raw(&v) || !d.Finish() || string(v) != row.text {
			t.Errorf("%s: %v", row.text, d.Err())
		}
		d = decoderOf(row.text, &Options{Strict: true})
		if d.Raw(&v) {
			t.Errorf("%s is taken by the strict mode", row.text)
			continue
		}
		wantError(t, d.Err(), Duplicate, row.path, row.offset)
	}
	nested := strings.Repeat(`{"a":[`, DefaultMaxDepth/2) + strings.Repeat(`]}`, DefaultMaxDepth/2)
	for _, text := range []string{`{"a":{"a":{"a":[]}},"b":{"a":1}}`, `[{"a":1},{"a":1}]`, nested, ` {"a" : "a" } `} {
		var v Raw
		d := decoderOf(text, &Options{Strict: true})
		if !d.Raw(&v) || !d.Finish() || string(v) != strings.TrimSpace(text) || d.depth != 0 {
			t.Errorf("%.40s: depth %d, %v", text, d.depth, d.Err())
		}
	}
}
