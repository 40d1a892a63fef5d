package drift

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/ccwire/ccwire/internal/suite/probe"
	"github.com/ccwire/ccwire/internal/terminal"
	"github.com/ccwire/ccwire/transport/cli"
)

// section is a part of a written report.
type section struct {
	Title   string
	Changes []Change
}

func (d *Drift) sections() (list []section) {
	for _, s := range []section{
		{"Breaks SDKs", d.Breaks}, {"New things to support", d.News}, {"Cosmetic", d.Cosmetic},
	} {
		if len(s.Changes) > 0 {
			list = append(list, section{s.Title, together(s.Changes)})
		}
	}
	return list
}

// together makes one change of the members of a definition that come or go in the same scenarios.
func together(changes []Change) (list []Change) {
	at := map[string]int{}
	for _, c := range changes {
		c.What = terminal.Printable(c.What)
		definition, name, ok := strings.Cut(c.What, ": ")
		switch c.Kind {
		case MemberNew, MemberMore, MemberGone, MemberAbsent:
			key := fmt.Sprint(c.Kind, definition, c.Scenarios)
			if i, have := at[key]; ok && have {
				list[i].What += ", " + name
				continue
			}
			at[key] = len(list)
		}
		list = append(list, c)
	}
	return list
}

// head says what was compared, and what came of it if that is short.
func (d *Drift) head() string {
	text := terminal.Count(d.Compared, "scenario") + " compared"
	if len(d.NotFor) > 0 {
		text += fmt.Sprintf(", %d for one of the versions only", len(d.NotFor))
	}
	switch {
	case d.Compared == 0:
		return text + ". Nothing is known of what changed."
	case d.Empty():
		return text + ". Nothing changed on the wire."
	}
	return text + ". " + d.verdict()
}

// verdict says in one sentence what the changes mean for SDKs.
func (d *Drift) verdict() string {
	var parts []string
	for _, p := range []struct {
		changes   []Change
		one, more string
	}{
		{d.Breaks, "1 change breaks SDKs", "%d changes break SDKs"},
		{d.News, "1 is new", "%d are new"},
		{d.Cosmetic, "1 is cosmetic", "%d are cosmetic"},
	} {
		switch n := len(together(p.changes)); {
		case n == 1:
			parts = append(parts, p.one)
		case n > 1:
			parts = append(parts, fmt.Sprintf(p.more, n))
		}
	}
	text := strings.Join(parts, ", ") + "."
	if len(d.Breaks) == 0 {
		text = "Nothing breaks SDKs: " + text
	}
	return text
}

// direction says that the comparison goes back, if it does.
func (d *Drift) direction() string {
	from, err := cli.ParseVersion(d.From)
	to, other := cli.ParseVersion(d.To)
	if err == nil && other == nil && to.Compare(from) < 0 {
		return d.To + ", which is older"
	}
	return d.To
}

// unknown is what the schemas do not name, fit to be shown.
func (d *Drift) unknown() (list []string) {
	for _, u := range d.Unknown {
		list = append(list, terminal.Printable(u))
	}
	return list
}

// fewNames is how many scenarios of a change are named where there is little room.
const fewNames = 4

// shown says which scenarios show the change, and how many of them fail.
func (c *Change) shown(most int) string {
	names := c.Scenarios
	if len(c.Failing) > 0 {
		names = c.Failing
	}
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	switch {
	case len(c.Failing) == 0:
		return "in " + text
	case len(c.Failing) == len(c.Scenarios):
		return "fails: " + text
	}
	return fmt.Sprintf("in %s; fails: %s", terminal.Count(len(c.Scenarios), "scenario"), text)
}

// Text writes the drift for a terminal.
func (d *Drift) Text(w io.Writer) error {
	return d.write(w, layout{
		head: "From %s to %s: %s\n", title: "\n%s (%d)\n", change: "  %s: %s\n", shown: "      %s\n", item: "  %s\n",
		text: func(s string) string { return s }, probe: (*probe.Report).Text,
	})
}

// Markdown writes the drift as a section of a document.
func (d *Drift) Markdown(w io.Writer) error {
	return d.write(w, layout{
		head: "## From %s to %s\n\n%s\n", title: "\n### %s (%d)\n\n", change: "- %s: `%s`\n", shown: "  %s\n", item: "- `%s`\n", text: oneLine,
		probe: (*probe.Report).Markdown,
	})
}

// oneLine makes text fit between two backticks.
func oneLine(text string) string {
	return strings.NewReplacer("`", "'", "\n", " ").Replace(text)
}

// layout has the formats of the parts of a report.
type layout struct {
	head, title, change, shown, item string
	text                             func(string) string
	probe                            func(*probe.Report, io.Writer) error
}

func (d *Drift) write(w io.Writer, l layout) error {
	var b strings.Builder
	fmt.Fprintf(&b, l.head, d.From, d.direction(), d.head())
	for _, s := range d.sections() {
		fmt.Fprintf(&b, l.title, s.Title, len(s.Changes))
		for i := range s.Changes {
			c := &s.Changes[i]
			fmt.Fprintf(&b, l.change, c.Kind, l.text(c.What))
			fmt.Fprintf(&b, l.shown, c.shown(fewNames))
		}
	}
	if len(d.Unknown) > 0 {
		fmt.Fprintf(&b, l.title, "Not in the schemas", len(d.Unknown))
		for _, u := range d.unknown() {
			fmt.Fprintf(&b, l.item, l.text(u))
		}
	}
	if d.Probe != nil {
		b.WriteString("\n")
		if err := l.probe(d.Probe, &b); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// HTML writes the drift as one page that needs no other file and no script.
func (d *Drift) HTML(w io.Writer) error {
	return page.Execute(w, struct {
		From, To, Head string
		Sections       []section
		Unknown        []string
		Probe          *probe.Report
	}{d.From, d.direction(), d.head(), d.sections(), d.unknown(), d.Probe})
}
