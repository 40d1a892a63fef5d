package linecheck

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/terminal"
)

// Text returns the finding as one line for people:
//
//	session.ndjson:12: error: unknown tag at /request/subtype: …
//
// Text of the input that could move the cursor is escaped.
func (f Finding) Text(style terminal.Style) string {
	place := fmt.Sprintf("%s:%d:", terminal.Printable(f.File), f.Line)
	switch {
	case f.Line == 0:
		place = terminal.Printable(f.File) + ":"
	case f.Part > 0:
		place = fmt.Sprintf("%s:%d (part %d):", terminal.Printable(f.File), f.Line, f.Part)
	}
	severity := style.Red("error:")
	if f.Severity == Lint {
		severity = style.Yellow("lint:")
	}
	what := f.Kind.String()
	switch {
	case f.Kind == codec.Malformed && f.Offset > 0:
		what += fmt.Sprintf(" at byte %d", f.Offset) // the text has no sure path
	case f.Path != "":
		what += " at " + terminal.Printable(f.Path)
	}
	text := fmt.Sprintf("%s %s %s: %s", style.Bold(place), severity, what, terminal.Printable(f.Detail))
	if f.Keyword != "" {
		text += " " + style.Faint("("+f.Keyword+")")
	}
	return text
}

// Text returns the counts as one line for people.
func (s Summary) Text() string {
	parts := []string{count(s.Lines, "line", "lines") + " in " + count(s.Files, "file", "files")}
	add := func(n int, words string) {
		if n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+words)
		}
	}
	add(s.Invalid, "invalid")
	add(s.Odd, "with lint")
	add(s.Blank, "blank")
	if len(parts) == 1 && s.Lines > 0 {
		parts = append(parts, "all valid")
	}
	text := strings.Join(parts, ", ")
	if s.Skipped > 0 {
		text += "; " + count(s.Skipped, "entry of the recording", "entries of the recording") + " skipped"
	}
	switch s.Unchecked {
	case 0:
	case 1:
		text += "; 1 reply was not checked: its request is not in the stream"
	default:
		text += "; " + strconv.Itoa(s.Unchecked) + " replies were not checked: their requests are not in the stream"
	}
	if s.Unreadable > 0 {
		text += "; " + count(s.Unreadable, "file", "files") + " unreadable"
	}
	return text
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
