// Package glob matches paths with patterns: * and ? within a name, ** over names, [a-z], {a,b}.
package glob

import (
	"regexp"
	"strings"
)

// Compile makes an expression of a pattern. It matches paths with slashes, as a whole.
func Compile(pattern string) (*regexp.Regexp, error) {
	return regexp.Compile("^" + expression(pattern) + "$")
}

// Tree makes an expression that also matches everything below what the pattern matches.
func Tree(pattern string) (*regexp.Regexp, error) {
	return regexp.Compile("^" + expression(pattern) + "(?:/.*)?$")
}

func expression(pattern string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case strings.HasPrefix(pattern[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(pattern[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '[' && strings.Contains(pattern[i:], "]"):
			end := i + strings.IndexByte(pattern[i:], ']')
			b.WriteString("[" + strings.Replace(pattern[i+1:end], "!", "^", 1) + "]")
			i = end
		case c == '{':
			depth++
			b.WriteString("(?:")
		case c == '}' && depth > 0:
			depth--
			b.WriteString(")")
		case c == ',' && depth > 0:
			b.WriteString("|")
		default:
			b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		}
	}
	return b.String()
}
