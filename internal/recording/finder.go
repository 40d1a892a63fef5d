package recording

import (
	"regexp"
	"slices"
	"strings"
)

// finder is an expression with what every text has that it finds something in. Other texts are not
// searched: most are words of a few letters.
type finder struct {
	re    *regexp.Regexp
	least int      // bytes
	parts []string // of which the text has one
}

func find(expression string, least int, parts ...string) finder {
	return finder{regexp.MustCompile(expression), least, parts}
}

// may reports whether a text is to be searched.
func (f *finder) may(text string) bool {
	return len(text) >= f.least && slices.ContainsFunc(f.parts, func(part string) bool { return strings.Contains(text, part) })
}

// replace replaces what is found as [regexp.Regexp.ReplaceAllString] does.
func (f *finder) replace(text, by string) string {
	if !f.may(text) {
		return text
	}
	return f.re.ReplaceAllString(text, by)
}

// standIn is the form of the stand-ins of a kind of ids: a prefix and digits.
type standIn struct {
	prefix string
	digits int
}

// end returns where the stand-in that begins a text ends, 0 if there is none or a longer word.
func (s *standIn) end(text string) int {
	end := len(s.prefix) + s.digits
	if !strings.HasPrefix(text, s.prefix) || len(text) < end || end < len(text) && isWord(text[end]) {
		return 0
	}
	for i := len(s.prefix); i < end; i++ {
		if text[i] < '0' || text[i] > '9' {
			return 0
		}
	}
	return end
}

// isWord reports whether a byte is of a word, as in \b of an expression.
func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}
