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
	return bytes.TrimFunc(bytes.ToValidUTF8(body, nil), func(r rune) bool {
		return unicode.IsSpace(r) || r == '\ufeff' || 0x1c <= r && r <= 0x1f
	})
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
	p := objectParser{dec: json.NewDecoder(bytes.NewReader(body)), odd: !utf8.Valid(body) || loneSurrogate(body)}
	p.dec.UseNumber()
	value = p.value(0)
	return value, p.odd, true
}

// objectParser builds the value of a valid text.
type objectParser struct {
	dec *json.Decoder
	odd bool
}

func (p *objectParser) value(depth int) any {
	if depth > MaxDepth {
		p.odd = true
	}
	token, err := p.dec.Token()
	if err != nil {
		p.odd = true // the decoder limits what json.Valid does not
		return nil
	}
	switch t := token.(type) {
	case json.Number:
		if _, err := strconv.ParseFloat(t.String(), 64); err != nil {
			p.odd = true
		}
		return t
	case json.Delim:
		if t == '{' {
			return p.object(depth)
		}
		list := []any{}
		for p.dec.More() {
			list = append(list, p.value(depth+1))
		}
		p.dec.Token()
		return list
	}
	return token
}

func (p *objectParser) object(depth int) any {
	object := map[string]any{}
	for p.dec.More() {
		key, _ := p.dec.Token()
		name, _ := key.(string)
		if _, twice := object[name]; twice {
			p.odd = true
		}
		object[name] = p.value(depth + 1)
	}
	p.dec.Token()
	return object
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

// matches reports whether a value that the parser wrote is the frame.
func (e *Expected) matches(got any) bool {
	if !e.loose {
		return equal(e.value, got)
	}
	object, ok := got.(map[string]any)
	if !ok {
		return false
	}
	want, _ := e.value.(map[string]any)
	number, numbered := want["n"].(json.Number)
	return !numbered || equal(number, object["n"])
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
