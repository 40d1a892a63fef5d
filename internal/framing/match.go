package framing

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// matches reports whether a value that the parser wrote is the frame.
func (e *Expected) matches(got any) bool {
	switch {
	case !e.loose:
		return equal(e.value, got)
	case e.value != nil:
		return alike(e.value, got, 0)
	}
	return e.couldBe(got)
}

// couldBe reports whether a lenient parser may make a value of a text that is nearly JSON: the text
// has the names of its members.
func (e *Expected) couldBe(got any) bool {
	object, ok := got.(map[string]any)
	for name := range object {
		plain := strings.TrimFunc(name, func(r rune) bool { return r < '0' || r > 'z' })
		ok = ok && bytes.Contains(e.Text, []byte(plain))
	}
	if n, numbered := object["n"].(json.Number); numbered {
		ok = ok && bytes.Contains(e.Text, []byte(n.String()))
	}
	return ok
}

// alike compares a value on which good parsers differ with what one made of it. What they differ on
// may be anything: strings with half a character, numbers that no float64 holds, what is too deep,
// the values of a duplicate member.
func alike(want, got any, depth int) bool {
	if depth > MaxDepth {
		return true
	}
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok || len(object) != len(want) {
			return false
		}
		for name, v := range want {
			w, same := object[name]
			if !same && !damaged(name) || same && !alike(v, w, depth+1) {
				return false
			}
		}
		return true
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return false
		}
		for i := range want {
			if !alike(want[i], list[i], depth+1) {
				return false
			}
		}
		return true
	case string:
		_, ok := got.(string)
		return damaged(want) && ok || want == got
	case json.Number:
		_, err := strconv.ParseFloat(want.String(), 64)
		return err != nil || equal(want, got)
	case anything:
		return true
	}
	return want == got
}

// damaged reports whether a text has a character that is not there in the stream.
func damaged(text string) bool { return strings.ContainsRune(text, '\ufffd') }

// anything is the value of a duplicate member.
type anything struct{}
