package drift

import (
	"fmt"
	"io"
	"strings"
)

// section is a part of a written report.
type section struct {
	title string
	items []string
}

func (d *Drift) sections() []section {
	var courses []string
	for _, c := range d.Courses {
		courses = append(courses, c.Scenario+": "+strings.Join(c.Changes, "; "))
	}
	return []section{
		{"new kinds of lines", d.NewTypes},
		{"kinds of lines that are gone", d.GoneTypes},
		{"new members", d.NewMembers},
		{"members that are gone", d.GoneMembers},
		{"members of another kind", d.ChangedKinds},
		{"new values", d.NewValues},
		{"values that are gone", d.GoneValues},
		{"requests that are answered otherwise", d.ChangedReplies},
		{"scenarios that go another way", courses},
		{"scenarios that only " + d.From + " has", d.OnlyFrom},
		{"scenarios that only " + d.To + " has", d.OnlyTo},
		{"not in the schemas yet", d.Unknown},
	}
}

// Text writes the drift for a terminal.
func (d *Drift) Text(w io.Writer) error {
	return d.write(w, "from %s to %s\n", "\n%s (%d)\n", "  %s\n")
}

// Markdown writes the drift as a section of a document.
func (d *Drift) Markdown(w io.Writer) error {
	return d.write(w, "## From %s to %s\n", "\n### %s (%d)\n\n", "- `%s`\n")
}

func (d *Drift) write(w io.Writer, head, title, item string) error {
	var b strings.Builder
	fmt.Fprintf(&b, head, d.From, d.To)
	if d.Empty() {
		b.WriteString("\nNothing changed on the wire.\n")
	}
	for _, s := range d.sections() {
		if len(s.items) == 0 {
			continue
		}
		fmt.Fprintf(&b, title, upper(s.title), len(s.items))
		for _, i := range s.items {
			fmt.Fprintf(&b, item, i)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
