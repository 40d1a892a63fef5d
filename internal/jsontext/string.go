package jsontext

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// Special returns a word whose lowest set high bit marks the first of eight bytes that is a quote,
// a backslash, a control character or not ASCII. Bits above the lowest may be wrong.
func Special(x uint64) uint64 {
	// With its second bit flipped, a quote is the one character from 0x20 on that is not above
	// 0x20, as control characters are not.
	return ((x ^ 0x02*ones - 0x21*ones) | (x ^ '\\'*ones - ones) | x) & highs
}

// What may be wrong with a string.
const (
	noQuote   = "'\"', found the end of the line"
	badEscape = "a valid escape"
	control   = "no control character inside a string"
	notUTF8   = "text that is UTF-8"
)

// PlainEnd finds the first quote or backslash from i on, in the text of a string. What is before it
// is checked: UTF-8, no control characters. If kind is not 0, end is where the fault is.
func PlainEnd(data []byte, i int) (end int, kind Kind) {
	for {
		for hasWide && i+wide <= len(data) {
			m := specialWide(data, i)
			if m != 0 {
				i += bits.TrailingZeros32(m)
				goto found
			}
			i += wide
		}
		for i+16 <= len(data) {
			m := Special(Load8(data, i))
			if m == 0 {
				i += 8
				if m = Special(Load8(data, i)); m == 0 {
					i += 8
					continue
				}
			}
			i += bits.TrailingZeros64(m) >> 3
			goto found
		}
		for i < len(data) && data[i] >= ' ' && data[i] < utf8.RuneSelf && data[i] != '"' && data[i] != '\\' {
			i++
		}
		if i >= len(data) {
			return i, Syntax
		}
	found:
		switch c := data[i]; {
		case c == '"' || c == '\\':
			return i, 0
		case c < ' ':
			return i, Syntax
		}
		for i < len(data) && data[i] >= utf8.RuneSelf { // such characters come in runs
			r, n := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && n <= 1 {
				return i, BadUTF8
			}
			i += n
		}
	}
}

// ScanString finds the end of the string whose first character is at i: the index of its closing
// quote. It is plain if it has no escapes. The text is checked: UTF-8, escapes, no control
// characters. If kind is not 0, end is where the fault is.
func ScanString(data []byte, i int) (end int, plain bool, kind Kind) {
	plain = true
	for {
		if hasWide {
			var escapes bool
			i, escapes = skipWide(data, i)
			plain = plain && !escapes
		}
		for i+16 <= len(data) { // ASCII with simple escapes, as source code mostly is
			m := Special(Load8(data, i))
			if m == 0 {
				i += 8
				if m = Special(Load8(data, i)); m == 0 {
					i += 8
					continue
				}
			}
			i += bits.TrailingZeros64(m) >> 3
			if data[i] == '"' {
				return i, plain, 0
			}
			from := i
			if i = escapesEnd(data, i); i == from {
				break
			}
			plain = false
		}
		if i, kind = PlainEnd(data, i); kind != 0 {
			return i, false, kind
		}
		if data[i] == '"' {
			return i, plain, 0
		}
		plain = false
		i = escapesEnd(data, i)
		if i < len(data) && data[i] == '\\' {
			if i+6 > len(data) || data[i+1] != 'u' || hex4(data[i+2:]) < 0 {
				return i, false, Syntax
			}
			i += 6
		}
	}
}

// escapesEnd returns the index after the escapes of two characters at data[i:]: they come in runs.
func escapesEnd(data []byte, i int) int {
	for i+1 < len(data) && data[i] == '\\' && simpleEscape[data[i+1]] != 0 {
		i += 2
	}
	return i
}

// ReadText is ScanString for a string whose text is wanted: it appends that to dst. A lone
// surrogate becomes the three bytes that UTF-8 would give it, which no valid text contains, so that
// AppendString can write the escape again. All of the memory after dst may be written to.
func ReadText(dst, data []byte, i int) (text []byte, end int, kind Kind) {
	const most = 16 // bytes written in one step
	j := len(dst)
	dst = dst[:cap(dst)]
	for {
		if j+most > len(dst) {
			dst = append(make([]byte, 0, j+textBound(data, i)+most), dst[:j]...)
			dst = dst[:cap(dst)]
		}
		if i+8 <= len(data) {
			x := Load8(data, i)
			Store8(dst, j, x)
			m := Special(x)
			if m == 0 { // the next step need not wait for the place of what is special
				i, j = i+8, j+8
				continue
			}
			n := bits.TrailingZeros64(m) >> 3
			i, j = i+n, j+n
		}
		if i >= len(data) {
			return dst[:j], i, Syntax
		}
		switch c := data[i]; {
		case c == '\\':
			from := i
			for j < len(dst) && i+1 < len(data) && data[i] == '\\' && simpleEscape[data[i+1]] != 0 { // they come in runs
				dst[j] = simpleEscape[data[i+1]]
				i, j = i+2, j+1
			}
			if i > from {
				continue
			}
			r, n := unicodeEscape(data[i:])
			if n == 0 {
				return dst[:j], i, Syntax
			}
			i += n
			j = len(appendWTF8(dst[:j], r))
		case c == '"':
			return dst[:j], i, 0
		case c < ' ':
			return dst[:j], i, Syntax
		case c < utf8.RuneSelf: // near the end of data
			dst[j] = c
			i, j = i+1, j+1
		default:
			r, n := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && n <= 1 {
				return dst[:j], i, BadUTF8
			}
			j += copy(dst[j:j+n], data[i:i+n])
			i += n
		}
	}
}

// textBound returns at least how many bytes the text from i to the end of the string can have.
func textBound(data []byte, i int) int {
	from := i
	for {
		n := bytes.IndexByte(data[i:], '"')
		if n < 0 {
			return len(data) - from
		}
		i += n + 1
		back := i - 1
		for back > from && data[back-1] == '\\' {
			back--
		}
		if (i-1-back)&1 == 0 {
			return i - from
		}
	}
}

// unicodeEscape returns the character of the escape that b begins with, of both if they are a pair
// of surrogates, and the length; 0 if it is not one.
func unicodeEscape(b []byte) (r rune, n int) {
	if len(b) < 6 || b[1] != 'u' {
		return 0, 0
	}
	if r = hex4(b[2:]); r < 0 {
		return 0, 0
	}
	if isHigh(r) && len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		if lo := hex4(b[8:]); isLow(lo) {
			return (r-0xd800)<<10 | (lo - 0xdc00) + 0x10000, 12
		}
	}
	return r, 6
}

// stringFault says what ScanString found wrong at i.
func stringFault(data []byte, i int, kind Kind) string {
	switch {
	case kind == BadUTF8:
		return notUTF8
	case i >= len(data):
		return noQuote
	case data[i] == '\\':
		return badEscape
	}
	return control
}

// simpleEscape maps the letter of an escape to its character; 0 means none.
var simpleEscape = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func hex4(b []byte) rune {
	if len(b) < 4 {
		return -1
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// zeros returns a word whose lowest set high bit marks the first byte that is zero. Bits above the
// lowest may be wrong.
func zeros(x uint64) uint64 { return (x - ones) &^ x & highs }

func isHigh(r rune) bool { return 0xd800 <= r && r < 0xdc00 }
func isLow(r rune) bool  { return 0xdc00 <= r && r < 0xe000 }

func appendWTF8(dst []byte, r rune) []byte {
	if isHigh(r) || isLow(r) {
		return append(dst, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0xbf, 0x80|byte(r)&0xbf)
	}
	return utf8.AppendRune(dst, r)
}

// Text returns the value of a JSON text that is one string, and whether it is one.
func Text(text []byte) (string, bool) {
	s := Scanner{Data: text, MaxDepth: 1}
	if s.Peek() != '"' {
		return "", false
	}
	if v, ok := s.String(); ok && s.Finish() {
		return v, true
	}
	return "", false
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Control characters and the line separators U+0085,
// U+2028 and U+2029 are escaped, HTML characters are not. A lone surrogate that was read is written
// as its escape again. It is false for any other text that is not UTF-8.
func AppendString(dst []byte, s string) ([]byte, bool) {
	dst = append(dst, '"')
	i := 0
	for {
		start := i
		for i+8 <= len(s) {
			if m := Special(loadString8(s, i)); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				goto found
			}
			i += 8
		}
		if len(s) >= 8 && Special(loadString8(s, len(s)-8)) == 0 {
			i = len(s)
		}
		for i < len(s) && s[i] >= ' ' && s[i] < utf8.RuneSelf && s[i] != '"' && s[i] != '\\' {
			i++
		}
	found:
		dst = append(dst, s[start:i]...)
		if i == len(s) {
			return append(dst, '"'), true
		}
		c := s[i]
		if c < utf8.RuneSelf {
			dst = appendEscape(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			if r = loneSurrogate(s[i:]); r == 0 {
				return dst, false
			}
			n = 3
			fallthrough
		case r == 0x85, r == 0x2028, r == 0x2029:
			dst = append(dst, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		default:
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
}

// loneSurrogate returns the surrogate whose three bytes s starts with, or 0. Two that make a pair
// are not alone: their escapes would be read as one character.
func loneSurrogate(s string) rune {
	if len(s) < 3 || s[0] != 0xed || s[1] < 0xa0 || s[1] > 0xbf || s[2]&0xc0 != 0x80 {
		return 0
	}
	r := 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f)
	if isHigh(r) && isLow(loneSurrogate(s[3:])) {
		return 0
	}
	return r
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
