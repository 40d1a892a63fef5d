package terminal

import (
	"os"
	"strconv"
	"unicode/utf8"

	"golang.org/x/term"
)

// usualWidth is for output whose reader is not known.
const usualWidth = 80

// Width returns how many columns output to w may take: COLUMNS, or the width of the terminal, or
// 80.
func Width(w any, getenv func(string) string) int {
	if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if Is(w) {
		if n, _, err := term.GetSize(int(w.(*os.File).Fd())); err == nil && n > 0 {
			return n
		}
	}
	return usualWidth
}

// Cut returns the text in at most width columns, with an ellipsis where something is missing.
func Cut(text string, width int) string {
	switch {
	case utf8.RuneCountInString(text) <= width:
		return text
	case width <= 0:
		return ""
	}
	return string([]rune(text)[:width-1]) + "…"
}
