// Package elide shortens JSON for the manual: a long text and a long list say what they are by
// their beginnings.
package elide

import (
	"fmt"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/object"
)

const (
	longest = 200 // characters of a text
	most    = 3   // elements of a list
)

// JSON returns a value with what is long in it cut, and whether anything was. A text ends in "…"
// where it was cut, and a list in a text that says how many elements are left out. Members stay in
// their order.
func JSON(text []byte) (short []byte, cut bool, err error) {
	v, err := object.ParseExact(text)
	if err != nil {
		return nil, false, err
	}
	e := elider{}
	v = e.value(v)
	return object.Append(nil, v), e.cut, nil
}

type elider struct{ cut bool }

func (e *elider) value(v any) any {
	switch v := v.(type) {
	case string:
		if utf8.RuneCountInString(v) > longest {
			e.cut = true
			return string([]rune(v)[:longest]) + "…"
		}
	case []any:
		for i := range v[:min(len(v), most)] {
			v[i] = e.value(v[i])
		}
		if left := len(v) - most; left > 0 {
			e.cut = true
			return append(v[:most:most], fmt.Sprintf("… %d more", left))
		}
	case object.Object:
		for i := range v {
			v[i].Value = e.value(v[i].Value)
		}
	}
	return v
}
