package run

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

// TestNothingBehindALineIsTouched reads lines, and what is left of them when they are cut anywhere,
// that end where nobody may look further, into memory that does.
func TestNothingBehindALineIsTouched(t *testing.T) {
	object := newGuessedObject(append(guessed[3:9:9], guessed...)[:len(guessed)]).text
	s := guessedShape()
	for end := range len(object) + 1 {
		var d Decoder
		d.Reset(jsontest.Guarded(t, object[:end]), nil)
		var extra *Members
		o := ReadObject(&d, s, &extra)
		for ok := o.Begin(false); o.Next(ok); {
			var n int64
			ok = d.Int64(&n)
		}
		o.End()
	}
	for size := range 70 {
		text := []byte(`"` + strings.Repeat("x", size) + `"`)
		for _, memory := range []int{0, 1, size, 47, 48, 49, 70} {
			var d Decoder
			d.Reset(jsontest.Guarded(t, text), nil)
			d.Lend(jsontest.Guarded(t, make([]byte, memory)), nil)
			var v string
			if !d.String(&v) || v != string(text[1:size+1]) {
				t.Errorf("%s is read as %q: %v", text, v, d.Err())
			}
			d.Reset(jsontest.Guarded(t, text[:size+1]), nil)
			if d.String(&v) {
				t.Errorf("%s is taken", text[:size+1])
			}
			d.Reset(jsontest.Guarded(t, text), nil)
			d.Enum(&v, &Enum{Values: []string{"", "x", "xxxxxxxxxxxxxxxxxx", strings.Repeat("x", 69), strings.Repeat("x", 70)}})
		}
	}
}
