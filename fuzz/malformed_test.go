package fuzz_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/ccwire/ccwire/codec"
)

// twice is what malformed says of a duplicate member.
const twice = "a duplicate member"

// malformed says why a text is not a JSON object by encoding/json, or for one of the documented
// differences: invalid UTF-8, a duplicate member, nesting past the limit. It returns "" if it is
// one.
func malformed(text []byte, maxDepth int) string {
	switch {
	case !json.Valid(text):
		return "not JSON"
	case !utf8.Valid(text):
		return "not UTF-8"
	case bytes.TrimLeft(text, " \t\r\n")[0] != '{':
		return "" // JSON, but no object: not malformed
	}
	type level struct {
		names map[string]bool // nil for an array
		name  bool            // a name comes next
	}
	var stack []level
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		from := d.InputOffset()
		token, err := d.Token()
		if err != nil {
			return ""
		}
		top := len(stack) - 1
		switch token {
		case json.Delim('{'), json.Delim('['):
			if len(stack) == maxDepth {
				return "nested too deep"
			}
			if top >= 0 {
				stack[top].name = stack[top].names != nil
			}
			next := level{}
			if token == json.Delim('{') {
				next = level{names: map[string]bool{}, name: true}
			}
			stack = append(stack, next)
			continue
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:top]
			continue
		}
		if top < 0 || stack[top].names == nil {
			continue
		}
		if !stack[top].name {
			stack[top].name = true
			continue
		}
		// encoding/json makes the same character of all lone surrogates, so the spelling counts.
		spelling := bytes.TrimLeft(text[from:d.InputOffset()], ", \t\r\n")
		name, _ := codec.Raw(spelling).Text()
		if stack[top].names[name] {
			return twice
		}
		stack[top].names[name] = true
		stack[top].name = false
	}
}

func TestMalformed(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"a":[{"b":1},{"b":2}],"b":{"a":1}}`, ""},
		{`{"a":1,"\u0061":2}`, "a duplicate member"},
		{`{"a":{"b":1 , "b":2}}`, "a duplicate member"},
		{`{"a":[1],"a":2}`, "a duplicate member"},
		{`{"\ud800":1,"\ud801":2}`, ""},
		{`{"a":[[]]}`, "nested too deep"},
		{`{"a":[]}`, ""},
		{"{\"a\":\"\xff\"}", "not UTF-8"},
		{`{"a":}`, "not JSON"},
		{``, "not JSON"},
		{`[]`, ""},
	} {
		depth := 2
		if test.want == "" {
			depth = 3
		}
		if got := malformed([]byte(test.text), depth); got != test.want {
			t.Errorf("%s: got %q, want %q", test.text, got, test.want)
		}
	}
}
