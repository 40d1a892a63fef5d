// Package plain prints the manual in a terminal.
package plain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/terminal"
)

// A Printer prints to W in lines of at most Width columns.
type Printer struct {
	W     io.Writer
	Width int
	Style terminal.Style
}

// most is how wide prose may be to be read with ease.
const most = 100

// line prints one line.
func (p *Printer) line(text string) { fmt.Fprintln(p.W, text) }

// heading prints a name, and a note after it or below.
func (p *Printer) heading(indent int, name, note string) {
	margin := strings.Repeat(" ", indent)
	name = terminal.Cut(name, p.Width-indent)
	if room := p.Width - indent - utf8.RuneCountInString(name) - 2; utf8.RuneCountInString(note) <= room {
		p.line(margin + p.Style.Bold(name) + p.Style.Faint("  "+note))
		return
	}
	p.line(margin + p.Style.Bold(name))
	p.prose(indent+4, note, p.Style.Faint)
}

// prose prints a text, every line of it indented. A word that is longer than a line is cut.
func (p *Printer) prose(indent int, text string, style func(string) string) {
	margin, width := strings.Repeat(" ", indent), max(min(p.Width, most)-indent, 20)
	for l := range strings.SplitSeq(terminal.Reflow(text, width), "\n") {
		l = terminal.Cut(l, width)
		if style != nil {
			l = style(l)
		}
		p.line(margin + l)
	}
}

// Topic prints all entries of a topic.
func (p *Printer) Topic(t *manual.Topic) {
	p.heading(0, t.Name, t.ID())
	for _, e := range t.Entries {
		p.entry(e)
	}
}

func (p *Printer) entry(e *manual.Entry) {
	d := e.Definition
	p.line("")
	facts := []string{cmp.Or(manual.Arrow(d.Direction), "part of others")}
	if d.Since != "" {
		facts = append(facts, "since "+d.Since)
	}
	facts = append(facts, d.Evidence)
	if e.Grade < manual.Never {
		facts = append(facts, e.Grade.String())
	}
	p.heading(0, cmp.Or(e.Key, e.Topic.Name), strings.Join(facts, ", "))
	p.prose(2, d.Description, nil)
	switch {
	case len(e.Values) > 0:
		p.prose(2, values(e.Values, d.Partial), nil)
	case e.Type != nil && e.Arms == nil:
		p.prose(2, "Type: "+e.Type.String(), nil)
	}
	if len(e.Members) > 0 {
		p.line("")
	}
	for i := range e.Members {
		p.member(2, &e.Members[i])
	}
	if len(e.Arms) > 0 {
		p.line("")
		p.line("  One of")
		for _, arm := range e.Arms {
			p.line("    " + terminal.Cut(arm.Title(), p.Width-4))
		}
	}
	if x := e.Exchange(); x != nil {
		p.example(strings.ReplaceAll(x.Source, "`", ""), x.Request)
		if x.Answer != nil {
			p.example("The "+x.Answers()+" answers:", x.Answer)
		}
	} else {
		p.example(strings.ReplaceAll(e.Source(), "`", ""), e.Example())
	}
	p.links(e)
}

// member prints a member with its type and marks, and what it means below.
func (p *Printer) member(indent int, m *manual.Member) {
	p.heading(indent, m.Name, strings.Join(append([]string{m.Type.String()}, m.Marks()...), ", "))
	if m.Meaning != "" {
		p.prose(indent+4, m.Meaning, nil)
	}
	if len(m.Values) > 0 {
		p.prose(indent+4, values(m.Values, m.Open), nil)
	}
}

// values lists what a string may be.
func values(list []string, open bool) string {
	text := "One of " + strings.Join(list, ", ")
	if open {
		text += " and others"
	}
	return text + "."
}

// example prints JSON, one member on each line.
func (p *Printer) example(title string, text []byte) {
	var b bytes.Buffer
	if json.Indent(&b, text, "    ", "  ") != nil {
		return
	}
	p.line("")
	p.prose(2, title, p.Style.Faint)
	for l := range strings.SplitSeq("    "+b.String(), "\n") {
		p.line(terminal.Cut(terminal.Printable(l), p.Width))
	}
}

// links prints what an entry belongs to.
func (p *Printer) links(e *manual.Entry) {
	p.line("")
	if e.Go != "" {
		p.fact("Go", "wire."+e.Go)
	}
	p.fact("Schema", "schema/"+e.Definition.Name())
	if len(e.Shown.Versions) > 0 {
		p.fact("Versions", strings.Join(e.Shown.Versions, ", "))
	}
	if s := e.Shown.Scenarios; len(s) > 0 {
		text := strings.Join(s, ", ")
		if more := e.Shown.Total - len(s); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		p.fact("Scenarios", text)
	}
	if e.Pair != nil {
		p.fact(e.Pair.Key, e.Pair.Title())
	}
	if len(e.Arms) == 0 {
		p.fact("Uses", titles(e.Uses))
	}
	p.fact("Used by", titles(e.UsedBy))
}

// fact prints a name and what it is, in columns.
func (p *Printer) fact(name, text string) {
	const column = 12
	if text == "" {
		return
	}
	width := max(min(p.Width, most)-column-2, 20)
	for l := range strings.SplitSeq(terminal.Reflow(text, width), "\n") {
		p.line("  " + p.Style.Faint(fmt.Sprintf("%-*s", column, name)) + terminal.Cut(l, width))
		name = ""
	}
}

// titles lists entries, the first of them if there are many.
func titles(entries []*manual.Entry) string {
	const some = 20
	var list []string
	for i, e := range entries {
		if i == some {
			list = append(list, fmt.Sprintf("and %d more", len(entries)-some))
			break
		}
		list = append(list, e.Title())
	}
	return strings.Join(list, ", ")
}

// Members prints the places of a member.
func (p *Printer) Members(name string, places []manual.Place) {
	p.heading(0, name, "a member of "+terminal.Count(len(places), "definition"))
	for _, place := range places {
		p.line("")
		p.heading(0, place.Entry.Title(), place.Entry.Topic.ID())
		p.member(2, place.Member)
	}
}
