package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Vars holds the values that a run knows by name: what patterns have bound, and the folders "cwd",
// "home", "config" and "tmp".
type Vars map[string]any

var (
	reference   = regexp.MustCompile(`"\$ref:([A-Za-z0-9_.-]+)"`)
	placeholder = regexp.MustCompile(`\$\{([A-Za-z0-9_.-]+)\}`)
	repetition  = regexp.MustCompile(`\$\{repeat:(\d+):([^}]*)\}`)
)

// Expand replaces ${name} in a text that is not JSON, such as an argument.
func (v Vars) Expand(text string) string {
	if !strings.Contains(text, "${") {
		return text
	}
	return placeholder.ReplaceAllStringFunc(text, func(m string) string {
		if s, ok := v[m[2:len(m)-1]].(string); ok {
			return s
		}
		return m
	})
}

func (v Vars) expandQuoted(re string) string {
	return placeholder.ReplaceAllStringFunc(re, func(m string) string {
		if s, ok := v[m[2:len(m)-1]].(string); ok {
			return regexp.QuoteMeta(s)
		}
		return m
	})
}

// ExpandJSON replaces, in a JSON text, the string "$ref:name" by the value of that name, ${name}
// inside a string by the text of that name, and ${repeat:N:text} by N times the text.
func (v Vars) ExpandJSON(text string) (string, error) {
	if !strings.Contains(text, "$") {
		return text, nil
	}
	var fault error
	value := func(name string) any {
		x, ok := v[name]
		if !ok && fault == nil {
			fault = fmt.Errorf("nothing has bound %s", name)
		}
		return x
	}
	text = reference.ReplaceAllStringFunc(text, func(m string) string {
		return plainJSON(value(reference.FindStringSubmatch(m)[1]))
	})
	text, err := repeat(text)
	if err != nil {
		return "", err
	}
	text = placeholder.ReplaceAllStringFunc(text, func(m string) string {
		s, ok := value(m[2 : len(m)-1]).(string)
		if !ok && fault == nil {
			fault = fmt.Errorf("%s is not a text", m)
		}
		q := plainJSON(s)
		return q[1 : len(q)-1]
	})
	return text, fault
}

// plainJSON writes a value without the escapes for HTML.
func plainJSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "null"
	}
	return strings.TrimSpace(b.String())
}

// repeat replaces ${repeat:N:text} by N times the text.
func repeat(text string) (string, error) {
	var fault error
	text = repetition.ReplaceAllStringFunc(text, func(m string) string {
		parts := repetition.FindStringSubmatch(m)
		n, err := strconv.Atoi(parts[1])
		if err != nil || n > 64<<20 {
			fault = fmt.Errorf("%s: too many", m)
			return m
		}
		return strings.Repeat(parts[2], n)
	})
	return text, fault
}
