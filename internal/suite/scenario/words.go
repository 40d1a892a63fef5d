package scenario

import (
	"fmt"
	"strconv"
	"strings"
)

// splitWords splits at spaces; a word in single quotes or back quotes is taken as it is, one in
// double quotes as Go reads it.
func splitWords(text string) (words []string, err error) {
	for text = strings.TrimLeft(text, " \t"); text != ""; text = strings.TrimLeft(text, " \t") {
		switch text[0] {
		case '"', '`':
			q, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, fmt.Errorf("quoted word %s: %w", text, err)
			}
			w, err := strconv.Unquote(q)
			if err != nil {
				return nil, err
			}
			words, text = append(words, w), text[len(q):]
		case '\'':
			end := strings.IndexByte(text[1:], '\'')
			if end < 0 {
				return nil, fmt.Errorf("no closing quote in %s", text)
			}
			words, text = append(words, text[1:1+end]), text[end+2:]
		default:
			w := text
			if i := strings.IndexAny(text, " \t"); i >= 0 {
				w = text[:i]
			}
			words, text = append(words, w), text[len(w):]
		}
	}
	return words, nil
}
