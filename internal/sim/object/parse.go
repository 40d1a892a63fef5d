package object

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// SyntaxError says where a text is not JSON.
type SyntaxError struct {
	Offset int // of the byte
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at offset %d", e.Reason, e.Offset) }

// Parse reads one JSON value. Of members with the same name the last one counts. Bytes that are not
// UTF-8 become U+FFFD.
func Parse(data []byte) (any, error) {
	p := parser{data: data}
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.at < len(p.data) {
		return nil, p.fail("more text after the value")
	}
	return v, nil
}

type parser struct {
	data []byte
	at   int
}

func (p *parser) fail(reason string) error { return &SyntaxError{p.at, reason} }

func (p *parser) space() {
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) value() (any, error) {
	p.space()
	if p.at == len(p.data) {
		return nil, p.fail("the text ends")
	}
	switch c := p.data[p.at]; c {
	case '{':
		return p.object()
	case '[':
		return p.list()
	case '"':
		return p.text()
	case 't':
		return true, p.word("true")
	case 'f':
		return false, p.word("false")
	case 'n':
		return nil, p.word("null")
	default:
		return p.number()
	}
}

func (p *parser) word(w string) error {
	if len(p.data)-p.at < len(w) || string(p.data[p.at:p.at+len(w)]) != w {
		return p.fail("unexpected character")
	}
	p.at += len(w)
	return nil
}

func (p *parser) object() (any, error) {
	p.at++
	o := Object{}
	var index map[string]int // where the members are, once there are many
	for first := true; ; first = false {
		p.space()
		if p.at < len(p.data) && p.data[p.at] == '}' && first {
			p.at++
			return o, nil
		}
		if p.at == len(p.data) || p.data[p.at] != '"' {
			return nil, p.fail("a name is missing")
		}
		name, err := p.text()
		if err != nil {
			return nil, err
		}
		p.space()
		if p.at == len(p.data) || p.data[p.at] != ':' {
			return nil, p.fail("a colon is missing")
		}
		p.at++
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		if len(o) < 32 {
			o.Set(name, v)
		} else {
			if index == nil {
				index = make(map[string]int, 64)
				for i := range o {
					index[o[i].Name] = i
				}
			}
			if i, ok := index[name]; ok {
				o[i].Value = v
			} else {
				index[name] = len(o)
				o = append(o, Member{name, v})
			}
		}
		p.space()
		if p.at == len(p.data) {
			return nil, p.fail("an object is not closed")
		}
		switch p.data[p.at] {
		case ',':
			p.at++
		case '}':
			p.at++
			return o, nil
		default:
			return nil, p.fail("unexpected character in an object")
		}
	}
}

func (p *parser) list() (any, error) {
	p.at++
	list := []any{}
	p.space()
	if p.at < len(p.data) && p.data[p.at] == ']' {
		p.at++
		return list, nil
	}
	for {
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		p.space()
		if p.at == len(p.data) {
			return nil, p.fail("a list is not closed")
		}
		switch p.data[p.at] {
		case ',':
			p.at++
		case ']':
			p.at++
			return list, nil
		default:
			return nil, p.fail("unexpected character in a list")
		}
	}
}

func (p *parser) number() (any, error) {
	start := p.at
	digits := func() bool {
		from := p.at
		for p.at < len(p.data) && p.data[p.at] >= '0' && p.data[p.at] <= '9' {
			p.at++
		}
		return p.at > from
	}
	if p.data[p.at] == '-' {
		p.at++
	}
	if p.at < len(p.data) && p.data[p.at] == '0' {
		p.at++
	} else if !digits() {
		return nil, p.fail("unexpected character")
	}
	if p.at < len(p.data) && p.data[p.at] == '.' {
		p.at++
		if !digits() {
			return nil, p.fail("a digit is missing")
		}
	}
	if p.at < len(p.data) && (p.data[p.at] == 'e' || p.data[p.at] == 'E') {
		p.at++
		if p.at < len(p.data) && (p.data[p.at] == '+' || p.data[p.at] == '-') {
			p.at++
		}
		if !digits() {
			return nil, p.fail("a digit is missing")
		}
	}
	f, _ := strconv.ParseFloat(string(p.data[start:p.at]), 64) // out of range is infinite, as in JavaScript
	return f, nil
}

// text reads a text in quotes.
func (p *parser) text() (string, error) {
	p.at++
	start := p.at
	for p.at < len(p.data) && p.data[p.at] < utf8.RuneSelf && p.data[p.at] >= ' ' && p.data[p.at] != '"' && p.data[p.at] != '\\' {
		p.at++
	}
	if p.at < len(p.data) && p.data[p.at] == '"' { // nothing in it needs a look
		s := string(p.data[start:p.at])
		p.at++
		return s, nil
	}
	b := append([]byte(nil), p.data[start:p.at]...)
	for p.at < len(p.data) {
		switch c := p.data[p.at]; {
		case c == '"':
			p.at++
			return string(b), nil
		case c == '\\':
			var err error
			if b, err = p.escape(b); err != nil {
				return "", err
			}
		case c < ' ':
			return "", p.fail("a control character in a text")
		case c < utf8.RuneSelf:
			b = append(b, c)
			p.at++
		default:
			r, size := utf8.DecodeRune(p.data[p.at:])
			b = utf8.AppendRune(b, r)
			p.at += size
		}
	}
	return "", p.fail("a text is not closed")
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *parser) escape(b []byte) ([]byte, error) {
	if p.at+1 >= len(p.data) {
		return nil, p.fail("a text is not closed")
	}
	if c, ok := escapes[p.data[p.at+1]]; ok {
		p.at += 2
		return append(b, c), nil
	}
	r, ok := p.unit()
	if !ok {
		return nil, p.fail("an unknown escape")
	}
	if utf16.IsSurrogate(r) {
		before := p.at
		if low, ok := p.unit(); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return utf8.AppendRune(b, pair), nil
			}
		}
		p.at = before
		return append(b, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0xbf, 0x80|byte(r)&0xbf), nil
	}
	return utf8.AppendRune(b, r), nil
}

// unit reads an escape of four digits.
func (p *parser) unit() (rune, bool) {
	if p.at+6 > len(p.data) || p.data[p.at] != '\\' || p.data[p.at+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.data[p.at+2:p.at+6]), 16, 16)
	if err != nil {
		return 0, false
	}
	p.at += 6
	return rune(n), true
}
