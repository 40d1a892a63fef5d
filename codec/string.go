package codec

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080

	// maxShared is the longest string that is copied into a chunk shared with
	// others; a longer one has an allocation of its own, so that a short string
	// never keeps more than maxChunk bytes alive.
	maxShared = 512
	maxChunk  = 2048
	// maxRepeated is the longest string that a Decoder remembers.
	maxRepeated = 128
)

// special returns a word whose lowest set high bit marks the first of eight
// bytes that is a quote, a backslash, a control character or not ASCII. Bits
// above the lowest may be wrong.
func special(x uint64) uint64 {
	// With its second bit flipped, a quote is the one character from 0x20 on that
	// is not above 0x20, as control characters are not.
	return ((x ^ 0x02*ones - 0x21*ones) | (x ^ '\\'*ones - ones) | x) & highs
}

// scanString finds the end of the string whose first byte is at i: the index
// of the closing quote. It is plain if it has no escapes. The text is checked:
// UTF-8, escapes, no control characters.
func (d *Decoder) scanString(i int) (end int, plain, ok bool) {
	end, plain, fault := scanText(d.data, i)
	if fault != nil {
		return 0, false, d.Fail(fault.Kind, end, fault.Want)
	}
	return end, plain, true
}

// What may be wrong with a string.
var (
	errNoQuote   = &Error{Kind: Syntax, Want: "'\"', found the end of the line"}
	errBadEscape = &Error{Kind: Syntax, Want: "a valid escape"}
	errControl   = &Error{Kind: Syntax, Want: "no control character inside a string"}
	errBadText   = &Error{Kind: BadUTF8, Want: "text that is UTF-8"}
)

// scanText is scanString for any text; the end is where the fault is, if any.
func scanText(data []byte, i int) (end int, plain bool, fault *Error) {
	plain = true
	for {
		for i+16 <= len(data) {
			m := special(load8(data, i))
			if m == 0 {
				i += 8
				if m = special(load8(data, i)); m == 0 {
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
			return i, false, errNoQuote
		}
	found:
		switch c := data[i]; {
		case c == '"':
			return i, plain, nil
		case c == '\\':
			plain = false
			if i+1 < len(data) && simpleEscape[data[i+1]] != 0 {
				i += 2
				continue
			}
			if i+6 > len(data) || data[i+1] != 'u' || hex4(data[i+2:]) < 0 {
				return i, false, errBadEscape
			}
			i += 6
		case c < ' ':
			return i, false, errControl
		default:
			r, n := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && n <= 1 {
				return i, false, errBadText
			}
			i += n
		}
	}
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

// unescape appends the text of a checked string body. A lone surrogate becomes
// the three bytes that UTF-8 would give it, which no valid text contains, so
// that AppendString can write the escape again. All of the memory behind dst may
// be written to.
func unescape(dst, b []byte) []byte {
	for i := 0; i < len(b); {
		if i+8 <= len(b) && cap(dst)-len(dst) >= 8 {
			x := load8(b, i)
			n := bits.TrailingZeros64(zeros(x^'\\'*ones)) >> 3
			binary.LittleEndian.PutUint64(dst[len(dst):len(dst)+8], x)
			dst = dst[:len(dst)+n]
			i += n
			if n == 8 {
				continue
			}
		} else if b[i] != '\\' {
			dst = append(dst, b[i])
			i++
			continue
		}
		if c := simpleEscape[b[i+1]]; c != 0 {
			dst = append(dst, c)
			i += 2
			continue
		}
		r := hex4(b[i+2:])
		i += 6
		if isHigh(r) && i+6 <= len(b) && b[i] == '\\' && b[i+1] == 'u' {
			if lo := hex4(b[i+2:]); isLow(lo) {
				r = (r-0xd800)<<10 | (lo - 0xdc00) + 0x10000
				i += 6
			}
		}
		dst = appendWTF8(dst, r)
	}
	return dst
}

// zeros returns a word whose lowest set high bit marks the first byte that is
// zero. Bits above the lowest may be wrong.
func zeros(x uint64) uint64 { return (x - ones) &^ x & highs }

func isHigh(r rune) bool { return 0xd800 <= r && r < 0xdc00 }
func isLow(r rune) bool  { return 0xdc00 <= r && r < 0xe000 }

func appendWTF8(dst []byte, r rune) []byte {
	if isHigh(r) || isLow(r) {
		return append(dst, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0xbf, 0x80|byte(r)&0xbf)
	}
	return utf8.AppendRune(dst, r)
}

// room returns a chunk with space for n more bytes at its end.
func (d *Decoder) room(n int) []byte {
	if cap(d.chunk)-len(d.chunk) < n {
		size := min(max(n+len(d.data)-d.pos, 32), maxChunk)
		d.chunk = make([]byte, 0, max(size, n))
	}
	return d.chunk
}

// copyString returns b as a string of its own memory.
func (d *Decoder) copyString(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > maxShared {
		return string(b)
	}
	c := append(d.room(len(b)), b...)
	s := sharedString(c[len(d.chunk):])
	d.chunk = c
	return s
}

// body reads a string and returns its text: in the line where plain, else
// unescaped to the end of the chunk and already its own.
func (d *Decoder) body() (text []byte, plain, ok bool) {
	if d.peek() != '"' {
		return nil, false, d.mismatch("a string")
	}
	start := d.pos + 1
	end, plain, ok := d.scanString(start)
	if !ok {
		return nil, false, false
	}
	d.pos = end + 1
	if plain {
		return d.data[start:end], true, true
	}
	n := end - start
	if n > maxShared {
		return unescape(make([]byte, 0, n), d.data[start:end]), false, true
	}
	c := unescape(d.room(n), d.data[start:end])
	text = c[len(d.chunk):]
	d.chunk = c
	return text, false, true
}

// String reads a string.
func (d *Decoder) String(p *string) bool {
	text, plain, ok := d.body()
	if !ok {
		return false
	}
	switch {
	case !plain, d.alias:
		*p = sharedString(text)
	default:
		*p = d.copyString(text)
	}
	return true
}

// Repeated reads a string that is likely to be the same as on the lines before,
// such as a session id, and then shares its memory. Slot numbers the member.
func (d *Decoder) Repeated(p *string, slot int) bool {
	m := &d.memo[slot&7]
	// The guess: the text of the line before. It has no escapes.
	if end := d.pos + 1 + len(*m); *m != "" && end < len(d.data) && d.data[d.pos] == '"' && d.data[end] == '"' &&
		string(d.data[d.pos+1:end]) == *m {
		d.pos = end + 1
		*p = *m
		return true
	}
	text, plain, ok := d.body()
	if !ok {
		return false
	}
	*p = string(text)
	if plain && len(text) <= maxRepeated {
		*m = *p
	}
	return true
}

// OptionalString reads a string into a variable of its own.
func (d *Decoder) OptionalString(p **string) bool {
	s := d.Slot()
	if !d.String(s) {
		return false
	}
	*p = s
	return true
}

// OptionalRepeated is Repeated for an optional member.
func (d *Decoder) OptionalRepeated(p **string, slot int) bool {
	s := d.Slot()
	if !d.Repeated(s, slot) {
		return false
	}
	*p = s
	return true
}

// Slot returns a string variable for an optional member. A few of them share
// an allocation.
func (d *Decoder) Slot() *string {
	if len(d.slots) == 0 {
		d.slots = make([]string, 4)
	}
	s := &d.slots[0]
	d.slots = d.slots[1:]
	return s
}

func itoa(n int) string { return strconv.Itoa(n) }

func quote(b []byte) string {
	const most = 64
	if len(b) > most {
		b = b[:most]
	}
	return strconv.Quote(string(b))
}
