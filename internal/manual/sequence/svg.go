package sequence

import (
	"fmt"
	"html"
	"strings"

	"github.com/ccwire/ccwire/internal/manual"
)

// Measures of the drawing, in its own units.
const (
	width  = 560
	left   = 48 // of the SDK's line
	right  = width - left
	head   = 44 // height of the boxes with the names, and the space below
	row    = 52 // height of an arrow with its text
	gapRow = 34
	tip    = 7
)

// SVG returns the diagram as a picture without colours of its own: they are those of the classes
// line, arrow, gap, box, and of the text of classes name, kind and caption. What a kind begins with
// has the class prefix where a narrow page may do without it. Arrows lead to the anchors of what m
// says of their lines; m may be nil.
func (d *Diagram) SVG(m *manual.Manual) string {
	height := head + 12
	for _, s := range d.Steps {
		height += s.height()
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="sequence" viewBox="0 0 %d %d" role="img" aria-label="%s">`, width, height,
		html.EscapeString("What both ends write in the scenario "+d.Scenario))
	for _, end := range []struct {
		x    int
		name string
	}{{left, "SDK"}, {right, "CLI"}} {
		fmt.Fprintf(&b, `<line class="line" x1="%d" y1="30" x2="%d" y2="%d"/>`, end.x, end.x, height)
		fmt.Fprintf(&b, `<rect class="box" x="%d" y="2" width="80" height="28" rx="6"/>`, end.x-40)
		fmt.Fprintf(&b, `<text class="name" x="%d" y="21">%s</text>`, end.x, end.name)
	}
	y := head
	for i := range d.Steps {
		d.Steps[i].draw(&b, y, d.Steps[i].entry(m))
		y += d.Steps[i].height()
	}
	b.WriteString("</svg>")
	return b.String()
}

func (s *Step) height() int {
	if s.Gap {
		return gapRow
	}
	return row
}

// draw draws a step below y, as a link to an entry if there is one.
func (s *Step) draw(b *strings.Builder, y int, entry *manual.Entry) {
	middle := width / 2
	if s.Gap {
		fmt.Fprintf(b, `<text class="gap" x="%d" y="%d">⋯ %s ⋯</text>`, middle, y+gapRow/2+4, s.gap())
		return
	}
	from, to, back := left, right, -tip
	if s.FromCLI {
		from, to, back = right, left, tip
	}
	at := y + row - 22
	class := "from-sdk"
	if s.FromCLI {
		class = "from-cli"
	}
	if entry != nil {
		fmt.Fprintf(b, `<a href="#%s">`, html.EscapeString(entry.Anchor()))
		defer b.WriteString("</a>")
	}
	fmt.Fprintf(b, `<g class="%s"><line class="arrow" x1="%d" y1="%d" x2="%d" y2="%d"/>`, class, from, at, to+back, at)
	fmt.Fprintf(b, `<path class="tip" d="M%d %dl%d -5v10z"/>`, to, at, back*10/tip)
	fmt.Fprintf(b, `<text class="kind" x="%d" y="%d">%s</text>`, middle, at-7, kind(s.title()))
	if s.Caption != "" {
		fmt.Fprintf(b, `<text class="caption" x="%d" y="%d">%s</text>`, middle, at+15, html.EscapeString(s.Caption))
	}
	b.WriteString("</g>")
}

// kind returns the text of a title.
func kind(title string) string {
	if first, rest, ok := strings.Cut(title, "/"); ok && strings.HasPrefix(first, "control_") {
		return `<tspan class="prefix">` + html.EscapeString(first) + `/</tspan>` + html.EscapeString(rest)
	}
	return html.EscapeString(title)
}
