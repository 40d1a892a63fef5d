package plain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/internal/manual/reading"
	"github.com/ccwire/ccwire/internal/terminal"
)

// Reading prints what a line is.
func (p *Printer) Reading(r *reading.Reading) {
	p.what(r)
	if len(r.Members) > 0 {
		p.line("")
	}
	for i := range r.Members {
		p.read(&r.Members[i])
	}
	if r.Omitted > 0 {
		p.line(p.Style.Faint(fmt.Sprintf("  … and %d more", r.Omitted)))
	}
	if len(r.Findings) > 0 {
		p.line("")
	}
	for _, f := range r.Findings {
		style := p.Style.Yellow
		if f.Error {
			style = p.Style.Red
		}
		p.prose(0, f.Text, style)
	}
	if r.Unlisted > 0 {
		p.line(p.Style.Faint("… and " + terminal.Count(r.Unlisted, "more finding")))
	}
	if r.Clean() {
		p.line("")
		p.line("Nothing in it is unknown or wrong.")
	}
	p.answer(&r.Answer)
}

// what prints the names of what the line is, and what that means.
func (p *Printer) what(r *reading.Reading) {
	if len(r.What) == 0 {
		p.line(p.Style.Bold("not a line of the protocol"))
		return
	}
	var names []string
	for _, e := range r.What {
		names = append(names, e.Title())
	}
	p.line(terminal.Cut(strings.Join(names, ", "), p.Width))
	p.line(p.Style.Faint("  written by " + r.Writer))
	last := r.What[len(r.What)-1]
	p.prose(2, last.Definition.Description, nil)
}

// read prints a member.
func (p *Printer) read(m *reading.Member) {
	indent := 2 + 2*m.Depth
	margin := strings.Repeat(" ", indent)
	value := m.Value
	if m.Entry != nil {
		value = m.Entry.Title()
	}
	if m.Missing {
		value = "is missing"
	}
	name := terminal.Cut(m.Name, max(p.Width-indent, 10))
	room := p.Width - indent - len([]rune(name)) - 2
	shown := ""
	if room > 3 && value != "" {
		shown = "  " + terminal.Cut(value, room)
	}
	switch {
	case m.Missing:
		p.line(margin + p.Style.Bold(name) + p.Style.Red(shown))
	case m.Entry != nil:
		p.line(margin + p.Style.Bold(name) + p.Style.Faint(shown))
	default:
		p.line(margin + p.Style.Bold(name) + shown)
	}
	if m.Meaning != "" {
		p.prose(indent+4, m.Meaning, p.Style.Faint)
	}
	if m.Unknown {
		p.prose(indent+4, "unknown: the schemas do not have it"+meant(m.Near), p.Style.Yellow)
	}
	for _, text := range m.Wrong {
		if !m.Unknown {
			text += meant(m.Near)
		}
		p.prose(indent+4, text, p.Style.Red)
	}
}

// meant asks whether other names were meant.
func meant(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(names, " or ") + "?"
}

// answer prints what the line wants.
func (p *Printer) answer(a *reading.Answer) {
	if a.Text == "" {
		return
	}
	p.line("")
	p.prose(0, a.Text, nil)
	for _, e := range a.Body {
		p.heading(2, e.Title(), e.Topic.ID())
	}
	for _, example := range a.Examples {
		var b bytes.Buffer
		if json.Indent(&b, example.Line, "    ", "  ") != nil {
			continue
		}
		title := "such as"
		if example.Does != "" {
			title = "this " + example.Does
		}
		p.line(p.Style.Faint("  " + title))
		for l := range strings.SplitSeq("    "+b.String(), "\n") {
			p.line(terminal.Cut(terminal.Printable(l), p.Width))
		}
	}
}
