package probe

import (
	"fmt"
	"io"
	"strings"

	"github.com/ccwire/ccwire/internal/terminal"
)

// layout has the formats of the parts of a report.
type layout struct {
	head, kind, note, title, item, reply string
	text                                 func(string) string
}

// Text writes the report for a terminal.
func (r *Report) Text(w io.Writer) error {
	return r.write(w, layout{
		head: "What %s recognises, and what the schemas say\n", kind: "\n%s: %s\n", note: "  %s\n",
		title: "  %s (%d)\n", item: "    %s\n", reply: "    %s: %s\n", text: terminal.Printable,
	})
}

// Markdown writes the report as a section of a document.
func (r *Report) Markdown(w io.Writer) error {
	return r.write(w, layout{
		head: "### What %s recognises, and what the schemas say\n", kind: "\n**%s**: %s\n", note: "\n%s\n",
		title: "\n%s (%d):\n\n", item: "- `%s`\n", reply: "- `%s`: `%s`\n",
		text: func(s string) string { return strings.ReplaceAll(terminal.Printable(s), "`", "'") },
	})
}

func (r *Report) write(w io.Writer, l layout) error {
	var b strings.Builder
	fmt.Fprintf(&b, l.head, r.Version)
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, l.kind, f.Kind, l.text(f.Summary()))
		if f.Limit != "" {
			fmt.Fprintf(&b, l.note, l.text(f.Limit))
		}
		if len(f.New) > 0 {
			fmt.Fprintf(&b, l.title, "recognised, and not in the schemas", len(f.New))
			for _, n := range f.New {
				fmt.Fprintf(&b, l.reply, l.text(n.Name), l.text(n.Reply))
			}
		}
		if len(f.Gone) > 0 {
			fmt.Fprintf(&b, l.title, "in the schemas, and not recognised", len(f.Gone))
			for _, name := range f.Gone {
				fmt.Fprintf(&b, l.item, l.text(name))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Summary says in a line what came of a kind.
func (f *Findings) Summary() string {
	if f.Unclear != "" {
		return "cannot be told: " + f.Unclear
	}
	text := fmt.Sprintf("%s tried, %d recognised", terminal.Count(f.Tried, "name"), len(f.Recognised))
	if len(f.New)+len(f.Gone) == 0 {
		text += ", as in the schemas"
	}
	return text
}
