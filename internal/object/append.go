package object

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Append appends the JSON text of a value, as JavaScript writes it. A value of another type than
// those of this package has the members and numbers that encoding/json gives it.
func Append(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case string:
		return AppendText(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		return appendNumber(b, v)
	case json.Number:
		return append(b, v...)
	case Object:
		b = append(b, '{')
		for i := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = AppendText(b, v[i].Name)
			b = append(b, ':')
			b = Append(b, v[i].Value)
		}
		return append(b, '}')
	case []any:
		return appendList(b, v)
	case []Object:
		return appendList(b, v)
	case []string:
		return appendList(b, v)
	case map[string]any:
		o := make(Object, 0, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			o = append(o, Member{name, v[name]})
		}
		return Append(b, o)
	case json.RawMessage:
		if parsed, err := Parse(v); err == nil {
			return Append(b, parsed)
		}
		return append(b, "null"...)
	}
	if data, err := json.Marshal(v); err == nil {
		if parsed, err := ParseExact(data); err == nil {
			return Append(b, parsed)
		}
	}
	return append(b, "null"...)
}

func appendList[T any](b []byte, list []T) []byte {
	b = append(b, '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = Append(b, list[i])
	}
	return append(b, ']')
}

// Text returns the JSON text of a value.
func Text(v any) string { return string(Append(nil, v)) }

// MarshalJSON writes the object as [Append] does.
func (o Object) MarshalJSON() ([]byte, error) { return Append(nil, o), nil }

// UnmarshalJSON reads an object.
func (o *Object) UnmarshalJSON(data []byte) error {
	v, err := Parse(data)
	if err != nil {
		return err
	}
	*o, _ = v.(Object)
	return nil
}

func appendNumber(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return append(b, "null"...)
	case f == math.Trunc(f) && math.Abs(f) < 1e21:
		return strconv.AppendFloat(b, f+0, 'f', -1, 64) // no negative zero
	}
	if abs := math.Abs(f); abs < 1e-6 || abs >= 1e21 {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		return append(b, mantissa+"e"+exponent[:1]+strings.TrimLeft(exponent[1:], "0")...)
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}

const hex = "0123456789abcdef"

// plain are the bytes that stand for themselves in a text.
var plain = func() (t [256]bool) {
	for c := 0x20; c < 0x7f; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// AppendText appends a text in quotes. Line separators, U+0085 and U+007F are escaped, as the CLI
// does, and so is half of a surrogate pair.
func AppendText(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		if plain[s[i]] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			if half, ok := surrogate(s[i:]); ok {
				r, size = half, 3
			}
		} else if r >= 0xa0 && r != 0x2028 && r != 0x2029 || r > 0x7f && r < 0x85 || r > 0x85 && r < 0xa0 {
			i += size
			continue
		}
		b = append(b, s[start:i]...)
		switch r {
		case '"', '\\':
			b = append(b, '\\', byte(r))
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		case '\b':
			b = append(b, '\\', 'b')
		case '\f':
			b = append(b, '\\', 'f')
		case utf8.RuneError:
			b = append(b, "\ufffd"...)
		default:
			b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		}
		i += size
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// surrogate reads half of a surrogate pair, which a text holds in the form that UTF-8 would give
// it.
func surrogate(s string) (rune, bool) {
	if len(s) < 3 || s[0] != 0xed || s[1] < 0xa0 || s[1] > 0xbf || s[2] < 0x80 || s[2] > 0xbf {
		return 0, false
	}
	return rune(s[0]&0x0f)<<12 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), true
}
