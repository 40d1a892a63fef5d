package terminal

import (
	"strings"
	"unicode/utf8"
)

// hanging is how much deeper the rest of an indented line stands than its beginning.
const hanging = 4

// Reflow returns prose in lines of at most width columns. Lines of a paragraph are joined first; an
// indented line stays one of its own, and its rest follows below it.
func Reflow(text string, width int) string {
	var out, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, fill(strings.Fields(strings.Join(paragraph, " ")), "", "", width)...)
			paragraph = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		rest := strings.TrimLeft(line, " \t")
		switch indent := line[:len(line)-len(rest)]; {
		case rest == "":
			flush()
			out = append(out, "")
		case indent == "":
			paragraph = append(paragraph, line)
		case utf8.RuneCountInString(line) <= width:
			flush()
			out = append(out, line)
		default:
			flush()
			first, _, _ := strings.Cut(rest, " ") // with the space after it, which may be wide
			space := len(rest[len(first):]) - len(strings.TrimLeft(rest[len(first):], " "))
			lead := indent + first + strings.Repeat(" ", space)
			out = append(out, fill(strings.Fields(rest[len(first):]), lead, indent+strings.Repeat(" ", hanging), width)...)
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// fill puts words into lines. The first line starts with first, the others with others.
func fill(words []string, first, others string, width int) (lines []string) {
	line, empty := first, true
	for _, w := range words {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w) > width {
			lines = append(lines, line)
			line, empty = others, true
		}
		if !empty {
			line += " "
		}
		line += w
		empty = false
	}
	return append(lines, line)
}
