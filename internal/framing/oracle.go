package framing

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits up to which a parser must understand a frame.
const (
	MaxDepth = 100      // nesting of objects and arrays
	MaxLine  = 12 << 20 // length of a line in bytes; the longest that the CLI is known to write has 10 MB
)

// An Expected is a frame that a parser must, or may, find in a stream.
type Expected struct {
	Line int // in the stream, from 1
	Text []byte
	Must bool

	value any  // as encoding/json decodes it, numbers as json.Number
	loose bool // good parsers differ on the value
}

// Expect returns the frames of a stream, in order.
func Expect(data []byte) []Expected {
	var all []Expected
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		if e, ok := expectLine(line); ok {
			e.Line = n
			all = append(all, e)
		}
	}
	return all
}

// expectLine judges one line. It returns false if the line must give nothing.
func expectLine(line []byte) (Expected, bool) {
	e := expectations.of(line, func(line []byte) expectation {
		e, ok := expectNewLine(line)
		return expectation{e, ok}
	})
	return e.Expected, e.ok
}

type expectation struct {
	Expected
	ok bool
}

var expectations memo[expectation]

func expectNewLine(line []byte) (Expected, bool) {
	body := bytes.Trim(line, " \t\r")
	if len(body) == 0 {
		return Expected{}, false
	}
	if value, odd, ok := parseObject(body); ok {
		return Expected{Text: body, Must: !odd && len(line) <= MaxLine, value: value, loose: odd}, true
	}
	if value, _, ok := parseObject(loosely(body)); ok {
		return Expected{Text: body, value: value, loose: true}, true
	}
	if body[0] == '{' && body[len(body)-1] == '}' && !concatenated(body) {
		return Expected{Text: body, loose: true}, true
	}
	return Expected{}, false
}

// loosely takes away what lenient parsers overlook: space of all sorts and a byte-order mark around
// the text, and bytes that are not UTF-8.
func loosely(body []byte) []byte {
	if text, ok := fromUTF16(body); ok {
		body = text
	}
	return bytes.TrimFunc(bytes.ToValidUTF8(body, []byte("\ufffd")), func(r rune) bool {
		return unicode.IsSpace(r) || r == '\ufeff' || r == '\ufffd' || 0x1c <= r && r <= 0x1f
	})
}

// fromUTF16 returns the bytes of an ASCII text in UTF-16, which some parsers read.
func fromUTF16(body []byte) ([]byte, bool) {
	var text []byte
	zero := -1 // whether the even or the odd bytes are NUL
	for i, c := range body {
		if c != 0 {
			text = append(text, c)
		} else if zero < 0 {
			zero = i % 2
		} else if zero != i%2 {
			return nil, false
		}
	}
	return text, len(text) > 2 && len(body)-len(text) >= len(text)-1
}

// concatenated reports whether the text is JSON values one after the other.
func concatenated(body []byte) bool {
	d := json.NewDecoder(bytes.NewReader(body))
	for n := 0; ; n++ {
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return n > 1 && d.InputOffset() >= int64(len(body))
		}
	}
}

// parseObject reads a JSON object. It is odd if good parsers differ on it.
func parseObject(body []byte) (value any, odd, ok bool) {
	if len(body) == 0 || body[0] != '{' || !json.Valid(body) {
		return nil, false, false
	}
	p := objectParser{text: body, odd: !utf8.Valid(body) || loneSurrogate(body)}
	value = p.value(0)
	return value, p.odd, true
}

// loneSurrogate reports whether a valid text has an escape of half a pair.
func loneSurrogate(body []byte) bool {
	half := func(i int) (rune, bool) {
		if i+6 > len(body) || body[i] != '\\' || body[i+1] != 'u' {
			return 0, false
		}
		n, err := strconv.ParseUint(string(body[i+2:i+6]), 16, 16)
		return rune(n), err == nil && 0xd800 <= n && n < 0xe000
	}
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		first, is := half(i)
		if !is {
			i++ // the escaped byte
			continue
		}
		second, paired := half(i + 6)
		if first >= 0xdc00 || !paired || second < 0xdc00 {
			return true
		}
		i += 11
	}
	return false
}

// equal compares values of encoding/json with numbers as json.Number.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			if w, ok := b[name]; !ok || !equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || equalNumbers(a.String(), b.String()))
	}
	return a == b
}

func equalNumbers(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(strings.TrimSpace(b), 64)
	return err == nil && err2 == nil && x == y
}
