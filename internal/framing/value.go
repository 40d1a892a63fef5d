package framing

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// objectParser builds the value of a valid JSON text, and notices what good parsers differ on.
type objectParser struct {
	text []byte
	at   int
	odd  bool
}

func (p *objectParser) value(depth int) any {
	if depth > MaxDepth {
		p.odd = true
	}
	switch c := p.next(); c {
	case '{':
		return p.object(depth)
	case '[':
		p.at++
		list := []any{}
		for p.next() != ']' {
			list = append(list, p.value(depth+1))
			if p.next() == ',' {
				p.at++
			}
		}
		p.at++
		return list
	case '"':
		return p.stringValue()
	default:
		return p.scalar(c)
	}
}

// next skips white space and returns the byte after it.
func (p *objectParser) next() byte {
	for {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return c
		}
	}
}

func (p *objectParser) object(depth int) any {
	p.at++
	object := map[string]any{}
	for p.next() != '}' {
		name := p.stringValue()
		p.next() // the colon
		p.at++
		_, twice := object[name]
		object[name] = p.value(depth + 1)
		if twice {
			p.odd = true
			object[name] = anything{}
		}
		if p.next() == ',' {
			p.at++
		}
	}
	p.at++
	return object
}

// stringValue reads a string.
func (p *objectParser) stringValue() string {
	start := p.at
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
	quoted := p.text[start:p.at]
	if plain := quoted[1 : len(quoted)-1]; !p.odd && bytes.IndexByte(plain, '\\') < 0 {
		return string(plain)
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		p.odd = true
	}
	return s
}

// scalar reads a number or a literal that begins with c.
func (p *objectParser) scalar(c byte) any {
	start := p.at
	for p.at < len(p.text) && bytes.IndexByte([]byte(",]} \t\r\n"), p.text[p.at]) < 0 {
		p.at++
	}
	switch c {
	case 't':
		return true
	case 'f':
		return false
	case 'n':
		return nil
	}
	number := string(p.text[start:p.at])
	if _, err := strconv.ParseFloat(number, 64); err != nil {
		p.odd = true
	}
	return json.Number(number)
}
