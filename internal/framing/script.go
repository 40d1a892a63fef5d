package framing

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// scriptPause is how long a script waits between two writes.
const scriptPause = 20 * time.Millisecond

// script returns a shell script that writes the stream, with a pause wherever a write ends. The
// first pause is long enough for the parser to start.
func (s Stream) script(start time.Duration) string {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n")
	for i, chunk := range s.Chunks() {
		switch i {
		case 0:
		case 1:
			fmt.Fprintf(&b, "sleep %.2f\n", (2*start + 200*time.Millisecond).Seconds())
		default:
			fmt.Fprintf(&b, "sleep %.2f\n", scriptPause.Seconds())
		}
		writeCommands(&b, chunk)
	}
	return b.String()
}

// script returns a shell script that writes the stream.
func (e endlessStream) script() string {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n")
	writeCommands(&b, []byte(e.head))
	size := e.repeats() * len(e.unit)
	if line, ok := strings.CutSuffix(e.unit, "\n"); ok {
		fmt.Fprintf(&b, "yes '%s' | head -c %d\n", line, size)
	} else {
		fmt.Fprintf(&b, "head -c %d /dev/zero | tr '\\0' '%s'\n", size, e.unit)
	}
	writeCommands(&b, []byte(e.tail))
	return b.String()
}

// writeCommands adds commands that write data: printf, and for a long run of one byte tr.
func writeCommands(b *strings.Builder, data []byte) {
	plain := 0 // start of what no command has yet
	flush := func(to int) {
		for plain < to {
			next := min(plain+4096, to)
			fmt.Fprintf(b, "printf '%s'\n", printfFormat(data[plain:next]))
			plain = next
		}
	}
	for i := 0; i < len(data); {
		n := runLength(data[i:])
		if n >= 200 {
			flush(i)
			fmt.Fprintf(b, "head -c %d /dev/zero | tr '\\0' '\\%03o'\n", n, data[i])
			plain = i + n
		}
		i += n
	}
	flush(len(data))
}

// printfFormat writes bytes so that printf gives them back.
func printfFormat(data []byte) string {
	var b strings.Builder
	for _, c := range data {
		switch {
		case c == '%':
			b.WriteString("%%")
		case c == '\\':
			b.WriteString(`\\`)
		case c == '\n':
			b.WriteString(`\n`)
		case c < ' ' || c > '~' || c == '\'':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+,-]+$`)

// shellQuote writes words so that a shell reads them back.
func shellQuote(words ...string) string {
	var quoted []string
	for _, w := range words {
		if !plainWord.MatchString(w) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		quoted = append(quoted, w)
	}
	return strings.Join(quoted, " ")
}
