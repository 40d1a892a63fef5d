package generator

import (
	"slices"
	"strings"
	"unicode"
)

// private returns a name that is not exported: the first word in small letters.
func private(name string) string {
	runes := []rune(name)
	i := 0
	for i < len(runes) && unicode.IsUpper(runes[i]) {
		i++
	}
	if i > 1 && i < len(runes) {
		i--
	}
	out := strings.ToLower(string(runes[:i])) + string(runes[i:])
	if slices.Contains([]string{"type", "range", "func", "default", "error", "string", "request", "response"}, out) {
		out += "Of"
	}
	return out
}
