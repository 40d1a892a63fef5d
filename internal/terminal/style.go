package terminal

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// Is reports whether w is a terminal.
func Is(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// A Style colours text, or leaves it alone. The zero value leaves it alone.
type Style struct{ on bool }

// NewStyle returns the Style for output to w. The choice is "auto", "always" or "never"; auto
// colours for a terminal, unless NO_COLOR is set or TERM is dumb.
func NewStyle(choice string, w io.Writer, getenv func(string) string) (Style, error) {
	switch choice {
	case "always":
		return Style{true}, nil
	case "never":
		return Style{}, nil
	case "auto":
		return Style{getenv("NO_COLOR") == "" && getenv("TERM") != "dumb" && Is(w)}, nil
	}
	return Style{}, fmt.Errorf("unknown choice %q: use auto, always or never", choice)
}

// Bold returns the text in bold.
func (s Style) Bold(text string) string { return s.wrap("1", text) }

// Faint returns the text in a paler shade.
func (s Style) Faint(text string) string { return s.wrap("2", text) }

// Red returns the text in red.
func (s Style) Red(text string) string { return s.wrap("31", text) }

// Green returns the text in green.
func (s Style) Green(text string) string { return s.wrap("32", text) }

// Yellow returns the text in yellow.
func (s Style) Yellow(text string) string { return s.wrap("33", text) }

func (s Style) wrap(code, text string) string {
	if !s.on {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
