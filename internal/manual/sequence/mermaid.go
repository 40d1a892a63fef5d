package sequence

import (
	"fmt"
	"strings"
)

// mermaidText escapes what ends or changes a text of Mermaid.
var mermaidText = strings.NewReplacer("#", "#35;", ";", "#59;", "<", "#lt;", ">", "#gt;", "\n", " ")

// Mermaid returns the diagram in the language of Mermaid.
func (d *Diagram) Mermaid() string {
	var b strings.Builder
	b.WriteString("sequenceDiagram\n    participant SDK\n    participant CLI\n")
	for _, s := range d.Steps {
		switch {
		case s.Gap:
			fmt.Fprintf(&b, "    Note over SDK,CLI: %s\n", s.gap())
		case s.FromCLI:
			fmt.Fprintf(&b, "    CLI->>SDK: %s\n", mermaidText.Replace(s.label()))
		default:
			fmt.Fprintf(&b, "    SDK->>CLI: %s\n", mermaidText.Replace(s.label()))
		}
	}
	return b.String()
}

// title is what the arrow of a step says first.
func (s *Step) title() string {
	if s.Count > 1 {
		return fmt.Sprintf("%s × %d", s.Kind, s.Count)
	}
	return s.Kind
}

// label is all that the arrow of a step says.
func (s *Step) label() string {
	if s.Caption == "" {
		return s.title()
	}
	return s.title() + ": " + s.Caption
}

// gap says how many lines are left out.
func (s *Step) gap() string {
	if s.Count == 1 {
		return "one line is left out"
	}
	return fmt.Sprintf("%d lines are left out", s.Count)
}
