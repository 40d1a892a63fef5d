package sequence

import (
	"bytes"
	"encoding/json"

	"github.com/ccwire/ccwire/internal/manual"
	"github.com/ccwire/ccwire/internal/manual/elide"
)

// A Line is what an arrow of a diagram stands for, for people who want to see it as it is.
type Line struct {
	Title string        // such as "SDK → CLI: user"
	Entry *manual.Entry // what the manual says of it; nil if it has nothing
	JSON  bool          // a line that is not is shown as it is
	Text  []byte        // one member on each line, with what is long cut
	Cut   bool          // something was long
}

// Lines returns the lines of the arrows, in their order. Of several alike it has the first.
func (d *Diagram) Lines(m *manual.Manual) (lines []Line) {
	for i := range d.Steps {
		s := &d.Steps[i]
		if s.Line == nil {
			continue
		}
		l := Line{Title: "SDK → CLI: " + s.title(), Entry: s.entry(m)}
		if s.FromCLI {
			l.Title = "CLI → SDK: " + s.title()
		}
		l.Text = s.Line
		if short, cut, err := elide.JSON(s.Line); err == nil {
			var pretty bytes.Buffer
			l.JSON = json.Indent(&pretty, short, "", "  ") == nil
			l.Text, l.Cut = pretty.Bytes(), cut
		}
		lines = append(lines, l)
	}
	return lines
}

// entry returns what the manual says of a step, nil if it has nothing.
func (s *Step) entry(m *manual.Manual) *manual.Entry {
	if m == nil || s.Line == nil {
		return nil
	}
	return m.Line(s.Kind, s.Answers)
}
