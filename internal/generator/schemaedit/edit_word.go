package schemaedit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// wordOrder is the order of the keywords that setWord writes, after those that stand before them.
var wordOrder = []string{"$schema", "$id", "description", "x-direction", "x-since", "x-required-since", "x-evidence"}

// setWord gives the object at a JSON pointer of a file a keyword with a string, in place of the one
// that it has; "" takes the keyword away. The rest of text stays as it is, but an object on one
// line gets several if it has no room there any more.
func setWord(text []byte, pointer, name, value string) ([]byte, error) {
	begin, end, err := span(text, pointer)
	if err != nil {
		return nil, err
	}
	old := text[begin:end]
	spans, err := memberSpans(old)
	if err != nil {
		return nil, err
	}
	line := string(text[bytes.LastIndexByte(text[:begin], '\n')+1 : begin])
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	object := editWord(old, spans, indent, name, value)
	if value != "" && !bytes.ContainsRune(object, '\n') {
		rest, _, _ := bytes.Cut(text[end:], []byte("\n"))
		if utf8.RuneCountInString(line+string(object)+string(rest)) > width {
			object = breakUp(object, indent)
		}
	}
	return slices.Concat(text[:begin], object, text[end:]), nil
}

// editWord sets, or takes away, the keyword in an object whose members are at spans.
func editWord(object []byte, spans []memberSpan, indent, name, value string) []byte {
	between := " "
	if bytes.ContainsRune(object, '\n') {
		between = "\n" + indent + "  "
	}
	at := slices.IndexFunc(spans, func(m memberSpan) bool { return m.name == name })
	switch {
	case at >= 0 && value != "":
		return slices.Concat(object[:spans[at].value], []byte(quoted(value)), object[spans[at].end:])
	case at >= 0 && at+1 < len(spans):
		return slices.Concat(object[:spans[at].begin], object[spans[at+1].begin:])
	case at > 0:
		return slices.Concat(object[:spans[at-1].end], object[spans[at].end:])
	case at == 0:
		return []byte("{}")
	case value == "":
		return object
	}
	added := quoted(name) + ": " + quoted(value)
	place := 0 // how many members stand before it
	for i, m := range spans {
		if known := slices.Index(wordOrder, m.name); known >= 0 && known < slices.Index(wordOrder, name) {
			place = i + 1
		}
	}
	switch {
	case len(spans) == 0:
		return []byte("{" + added + "}")
	case place == 0:
		return slices.Concat(object[:spans[0].begin], []byte(added+","+between), object[spans[0].begin:])
	default:
		return slices.Concat(object[:spans[place-1].end], []byte(","+between+added), object[spans[place-1].end:])
	}
}

// A memberSpan is where a member of an object begins, its value begins, and both end.
type memberSpan struct {
	name              string
	begin, value, end int
}

// memberSpans finds the members of an object.
func memberSpans(object []byte) (list []memberSpan, err error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	for dec.More() {
		m := memberSpan{begin: int(dec.InputOffset())}
		m.begin += bytes.IndexByte(object[m.begin:], '"')
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		m.name = name.(string)
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, err
		}
		m.end = int(dec.InputOffset())
		m.value = m.end - len(raw)
		list = append(list, m)
	}
	return list, nil
}

// breakUp writes an object or a list that is on one line with an element on each, and those of its
// elements likewise that are too long for that.
func breakUp(value []byte, indent string) []byte {
	pad := indent + "  "
	var elements []string
	if value[0] == '{' {
		spans, err := memberSpans(value)
		if err != nil {
			return value
		}
		for _, m := range spans {
			member := fitted(value[m.value:m.end], pad, len(m.name)+len(pad)+5)
			elements = append(elements, quoted(m.name)+": "+string(member))
		}
	} else {
		var raws []json.RawMessage
		if json.Unmarshal(value, &raws) != nil {
			return value
		}
		for _, raw := range raws {
			elements = append(elements, string(fitted(raw, pad, len(pad)+1)))
		}
	}
	open, close := string(value[0]), string(value[len(value)-1])
	return []byte(open + "\n" + pad + strings.Join(elements, ",\n"+pad) + "\n" + indent + close)
}

// fitted breaks a value up that does not fit on a line on which other text is.
func fitted(value []byte, indent string, other int) []byte {
	if utf8.RuneCount(value)+other <= width || value[0] != '{' && value[0] != '[' {
		return value
	}
	return breakUp(value, indent)
}
