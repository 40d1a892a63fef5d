package suite

import (
	"strconv"
	"strings"
)

// cut shortens a line for a message.
func cut(line []byte) string {
	const limit = 400
	if len(line) <= limit {
		return string(line)
	}
	return strings.ToValidUTF8(string(line[:limit]), "") + "…"
}

// tail is the end of stderr for a message, empty if there is none.
func tail(stderr string) string {
	const limit = 600
	stderr = strings.TrimSpace(stderr)
	if stderr == "" {
		return ""
	}
	if len(stderr) > limit {
		stderr = "…" + strings.ToValidUTF8(stderr[len(stderr)-limit:], "")
	}
	return "; stderr: " + stderr
}

func space(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

func ordinal(n int) string {
	switch {
	case n%10 == 1 && n%100 != 11:
		return strconv.Itoa(n) + "st"
	case n%10 == 2 && n%100 != 12:
		return strconv.Itoa(n) + "nd"
	case n%10 == 3 && n%100 != 13:
		return strconv.Itoa(n) + "rd"
	}
	return strconv.Itoa(n) + "th"
}
