package view

import (
	"fmt"
	"io"
	"strings"

	"github.com/ccwire/ccwire/internal/terminal"
)

// A Text writes rows as a timeline for a terminal, one line each, and what is odd below them.
type Text struct {
	w     io.Writer
	width int
	style terminal.Style
	turn  int
	asked map[int]asked // by row
	row   int
}

// asked is what is remembered of a request.
type asked struct {
	number int
	time   *float64
}

// NewText returns a Text for lines of a width.
func NewText(w io.Writer, width int, style terminal.Style) *Text {
	return &Text{w: w, width: width, style: style, asked: map[int]asked{}}
}

// Add writes a row.
func (t *Text) Add(r Row) error {
	if r.Turn > t.turn {
		t.turn = r.Turn
		if _, err := fmt.Fprintln(t.w, t.style.Bold(terminal.Cut(fmt.Sprintf("turn %d", t.turn), t.width))); err != nil {
			return err
		}
	}
	at := ""
	if r.Time != nil {
		at = fmt.Sprintf("%.1f", *r.Time)
	}
	left := fmt.Sprintf("%5d %10s  %-9s  ", r.Number, at, r.Lane)
	text := terminal.Printable(r.Kind)
	if r.Summary != "" {
		text += "  " + terminal.Printable(r.Summary)
	}
	right := ""
	if r.Answers != nil {
		right = t.answer(&r)
	} else if strings.HasPrefix(r.Kind, "control_request") && len(t.asked) < openRequests {
		t.asked[t.row] = asked{r.Number, r.Time}
	}
	if r.Note != "" {
		right += "  (" + terminal.Printable(r.Note) + ")"
	}
	t.row++
	room := max(t.width-len([]rune(left))-len([]rune(right)), 20)
	if _, err := fmt.Fprintf(t.w, "%s%s%s\n", left, terminal.Cut(text, room), t.style.Faint(right)); err != nil {
		return err
	}
	for _, f := range r.Findings {
		line := fmt.Sprintf("%s: %s", f.Severity, f.Kind)
		if f.Path != "" {
			line += " at " + terminal.Printable(f.Path)
		}
		if f.Detail != "" {
			line += ": " + terminal.Printable(f.Detail)
		}
		line = terminal.Cut(line, max(t.width-29, 20))
		if f.Severity == "error" {
			line = t.style.Red(line)
		} else {
			line = t.style.Yellow(line)
		}
		if _, err := fmt.Fprintf(t.w, "%29s%s\n", "", line); err != nil {
			return err
		}
	}
	return nil
}

// answer says what a row answers, and how long that took.
func (t *Text) answer(r *Row) string {
	to, ok := t.asked[*r.Answers]
	if !ok {
		return ""
	}
	delete(t.asked, *r.Answers)
	text := fmt.Sprintf("  ↩ %d", to.number)
	if r.Time != nil && to.time != nil {
		text += fmt.Sprintf(", %.1f ms", *r.Time-*to.time)
	}
	return text
}
