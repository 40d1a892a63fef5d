package diff

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/internal/terminal"
)

// marks stand before the lines of what differs.
var marks = map[Op]string{Changed: "~", Removed: "-", Added: "+", Moved: ">"}

// Text writes a report for people. A difference that many lines have is told of the first one.
func (r *Report) Text(w io.Writer, style terminal.Style) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n%s\n",
		style.Red("--- "+terminal.Printable(r.A.Name)), style.Green("+++ "+terminal.Printable(r.B.Name)))
	told := map[string]bool{}
	same := func(n int) {
		if n > 0 {
			fmt.Fprintln(out, style.Faint("  "+terminal.Count(n, "line")+sameWords(n)))
		}
	}
	again := 0
	flush := func() {
		if again > 0 {
			fmt.Fprintln(out, style.Faint("  "+terminal.Count(again, "line")+" with nothing but differences that were told"))
		}
		again = 0
	}
	for i := range r.Differences {
		d := &r.Differences[i]
		fresh := d.fresh(told)
		if d.Op == Changed && len(fresh) == 0 {
			again++
			continue
		}
		if d.Same > 0 || again > 0 {
			flush()
			same(d.Same)
		}
		fmt.Fprintln(out, d.head(style))
		for _, m := range fresh {
			fmt.Fprintln(out, "      "+m.text(style))
		}
		if n := len(d.Members) - len(fresh); n > 0 {
			fmt.Fprintln(out, style.Faint(fmt.Sprintf("      and %d that were told", n)))
		}
	}
	flush()
	same(r.SameAfter)
	fmt.Fprintln(out, r.Sum())
	return out.Flush()
}

func sameWords(n int) string {
	if n == 1 {
		return " is the same"
	}
	return " are the same"
}

// Sum returns the counts as a sentence.
func (r *Report) Sum() string {
	if len(r.Differences) == 0 {
		return fmt.Sprintf("no differences in %s", terminal.Count(r.Same, "line"))
	}
	var words []string
	for _, op := range []Op{Changed, Removed, Added, Moved} {
		if n := r.Counts[op]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, op))
		}
	}
	return strings.Join(words, ", ") + fmt.Sprintf(", %d the same", r.Same)
}

var index = regexp.MustCompile(`/\d+`)

// fresh returns the members whose difference no line before had.
func (d *Difference) fresh(told map[string]bool) (list []Member) {
	for _, m := range d.Members {
		key := strings.Join([]string{index.ReplaceAllString(m.Path, "/#"), m.Was, m.Is}, "\x00")
		if !told[key] || d.Op != Changed {
			list = append(list, m)
		}
		told[key] = true
	}
	return list
}

// head returns the line that says which line it is.
func (d *Difference) head(style terminal.Style) string {
	place := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	text := fmt.Sprintf("%s %5s %5s  %-9s  %s", marks[d.Op], place(d.A), place(d.B), d.Lane, terminal.Printable(d.Kind))
	if d.Summary != "" {
		text += "  " + terminal.Printable(strings.Join(strings.Fields(d.Summary), " "))
	}
	switch d.Op {
	case Removed:
		return style.Red(text)
	case Added:
		return style.Green(text)
	}
	return style.Yellow(text)
}

func (m *Member) text(style terminal.Style) string {
	path := terminal.Printable(m.Path)
	if path != "" {
		path += ": "
	}
	was, is := style.Red(terminal.Printable(m.Was)), style.Green(terminal.Printable(m.Is))
	switch {
	case m.ID:
		return path + was + " → " + is + ", another id than before"
	case m.Is == "":
		return path + was + " is missing"
	case m.Was == "":
		return path + is + " is new"
	}
	return path + was + " → " + is
}
