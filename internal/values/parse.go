package values

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// parse reads a JSON text and keeps the tokens as they are spelt.
func parse(text []byte) (*value, error) {
	if !json.Valid(text) {
		return nil, errors.New("not JSON")
	}
	p := &parser{text: string(text)}
	return p.value(), nil
}

// parser reads text that is known to be JSON.
type parser struct {
	text string
	pos  int
}

// next moves to the next token and returns its first byte.
func (p *parser) next() byte {
	p.pos += len(p.text[p.pos:]) - len(strings.TrimLeft(p.text[p.pos:], " \t\r\n"))
	return p.text[p.pos]
}

func (p *parser) value() *value {
	switch p.next() {
	case '{':
		v := &value{object: true}
		for p.pos++; p.next() != '}'; {
			if p.text[p.pos] == ',' {
				p.pos++
				p.next()
			}
			name := p.str()
			p.next()
			p.pos++ // the colon
			v.members = append(v.members, member{name, p.value()})
		}
		p.pos++
		return v
	case '[':
		v := &value{array: true}
		for p.pos++; p.next() != ']'; {
			if p.text[p.pos] == ',' {
				p.pos++
			}
			v.items = append(v.items, p.value())
		}
		p.pos++
		return v
	case '"':
		return scalar(p.str())
	}
	n := strings.IndexAny(p.text[p.pos:], ",]} \t\r\n")
	if n < 0 {
		n = len(p.text) - p.pos
	}
	p.pos += n
	return scalar(p.text[p.pos-n : p.pos])
}

// str moves past a string and returns its token.
func (p *parser) str() string {
	begin := p.pos
	for p.pos++; p.text[p.pos] != '"'; p.pos++ {
		if p.text[p.pos] == '\\' {
			p.pos++
		}
	}
	p.pos++
	return p.text[begin:p.pos]
}

// unquote returns the text of a string token. A lone surrogate becomes the three bytes that UTF-8
// forbids, so that different ones stay different.
func unquote(token string) string {
	s := token[1 : len(token)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var units []uint16
	for s != "" {
		switch {
		case s[0] != '\\':
			r, n := utf8.DecodeRuneInString(s)
			units = utf16.AppendRune(units, r)
			s = s[n:]
		case s[1] == 'u':
			u, _ := strconv.ParseUint(s[2:6], 16, 16)
			units = append(units, uint16(u))
			s = s[6:]
		default:
			units = append(units, uint16("\"\\/\b\f\n\r\t"[strings.IndexByte(`"\/bfnrt`, s[1])]))
			s = s[2:]
		}
	}
	var out []byte
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) {
			if i+1 < len(units) && utf16.DecodeRune(r, rune(units[i+1])) != utf8.RuneError {
				out = utf8.AppendRune(out, utf16.DecodeRune(r, rune(units[i+1])))
				i++
			} else {
				out = append(out, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
			}
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}
