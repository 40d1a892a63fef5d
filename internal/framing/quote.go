package framing

import (
	"strconv"
	"strings"
)

const (
	longRun   = 24  // from here on a run of one byte is written as a count
	mostQuote = 300 // bytes of a quoted text
)

// Quote returns bytes as a Go string literal for people. A long run of one byte is written as a
// product, and the middle of a long text is left out:
//
//	"{\"a\":\"" + 65536*"x" + "\"}\n"
func Quote(data []byte) string {
	var parts []string
	plain := 0 // start of what no part has yet
	add := func(to int) {
		if to > plain {
			parts = append(parts, shortQuote(data[plain:to]))
		}
	}
	for i := 0; i < len(data); {
		n := runLength(data[i:])
		if n >= longRun {
			add(i)
			parts = append(parts, strconv.Itoa(n)+"*"+strconv.Quote(string(data[i:i+1])))
			plain = i + n
		}
		i += n
	}
	add(len(data))
	switch {
	case len(parts) == 0:
		return `""`
	case len(parts) > 12:
		parts = append(parts[:6], append([]string{"…"}, parts[len(parts)-5:]...)...)
	}
	return strings.Join(parts, " + ")
}

func shortQuote(text []byte) string {
	if len(text) <= mostQuote {
		return strconv.QuoteToASCII(string(text))
	}
	half := mostQuote / 2
	return strconv.QuoteToASCII(string(text[:half])) + " + … + " + strconv.QuoteToASCII(string(text[len(text)-half:]))
}

// runLength returns how many bytes at the start are the same.
func runLength(data []byte) int {
	n := 1
	for n < len(data) && data[n] == data[0] {
		n++
	}
	return n
}
