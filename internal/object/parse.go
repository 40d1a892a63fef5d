package object

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// Parse reads one JSON value. Of members with the same name the last one counts, at the place of
// the first. Bytes that are not UTF-8 become U+FFFD.
func Parse(data []byte) (any, error) { return parse(data, false) }

// ParseExact is Parse for text that is written again: a number is a [json.Number], which keeps its
// spelling, and members with the same name all stay.
func ParseExact(data []byte) (any, error) { return parse(data, true) }

func parse(data []byte, exact bool) (any, error) {
	p := parser{Scanner: jsontext.Scanner{Data: validUTF8(data), MaxDepth: math.MaxInt}, exact: exact}
	v := p.value()
	if !p.Finish() {
		return nil, fmt.Errorf("not JSON: want %w", &p.Fault)
	}
	return v, nil
}

// validUTF8 puts U+FFFD in the place of each byte that is not part of a character.
func validUTF8(data []byte) []byte {
	if utf8.Valid(data) {
		return data
	}
	valid := make([]byte, 0, len(data)+len(data)/8)
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		valid = utf8.AppendRune(valid, r)
		data = data[size:]
	}
	return valid
}

type parser struct {
	jsontext.Scanner
	exact bool
}

// value reads the next value. What it returns counts only if nothing has failed.
func (p *parser) value() any {
	switch p.Peek() {
	case '{':
		return p.object()
	case '[':
		return p.list()
	case '"':
		s, _ := p.String()
		return s
	case 't':
		return p.Literal("true")
	case 'f':
		return !p.Literal("false")
	case 'n':
		p.Literal("null")
		return nil
	}
	return p.number()
}

// many is from how many members on their names are looked up in a map.
const many = 32

func (p *parser) object() Object {
	o := Object{}
	var index map[string]int // where the members are, once there are many
	p.Open()
	for {
		key, ok := p.Key()
		if !ok {
			p.Depth--
			return o
		}
		name := string(key)
		v := p.value()
		switch {
		case !p.OK():
			return nil
		case p.exact:
			o = append(o, Member{name, v})
			continue
		case len(o) < many:
			o.Set(name, v)
			continue
		case index == nil:
			index = make(map[string]int, 2*many)
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
}

func (p *parser) list() []any {
	list := []any{}
	p.OpenArray()
	for p.More(len(list)) {
		v := p.value()
		if !p.OK() {
			return nil
		}
		list = append(list, v)
	}
	return list
}

func (p *parser) number() any {
	text, _ := p.Number()
	if p.exact {
		return json.Number(text)
	}
	f, _ := strconv.ParseFloat(string(text), 64) // out of range is infinite, as in JavaScript
	return f
}
