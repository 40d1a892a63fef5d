// Package planted has parsers of NDJSON for the tests of package framing: a few correct ones, and
// many with a bug each.
package planted

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/ccwire/ccwire/codec"
)

// Parsers read a stream, write what they understood and return an exit code.
var Parsers = map[string]func(io.Reader, *bufio.Writer) int{
	"correct":           correct,
	"ccwire":            ccwire,
	"scanner":           scanner,
	"64 KiB scanner":    scanner64K,
	"64 KiB split":      split64K,
	"U+2028 split":      splitU2028,
	"poisoned by noise": poisoned,
	"CR kept":           keepsCR,
	"last line lost":    losesLast,
	"read is a line":    readIsLine,
	"stream of values":  streamOfValues,
	"reorders":          reorders,
	"repeats":           repeats,
	"hangs on blank":    hangsOnBlank,
	"crashes on noise":  crashesOnNoise,
	"two crashes":       twoCrashes,
	"two panics":        twoPanics,
	"slow":              slow,
	"slow to crash":     slowToCrash,
	"holds the line":    holdsLine,
	"writes no JSON":    func(_ io.Reader, out *bufio.Writer) int { fmt.Fprintln(out, "hello"); return 0 },
	"writes CR LF":      writesCRLF,
	"tires":             tires,

	"typed":                 func(in io.Reader, out *bufio.Writer) int { return typed(in, out, false) },
	"typed, stops at noise": func(in io.Reader, out *bufio.Writer) int { return typed(in, out, true) },
	"bytes to characters":   bytesToCharacters,
}

// echo writes a line if it is a JSON object.
func echo(out *bufio.Writer, line []byte) bool {
	var object map[string]json.RawMessage
	if json.Unmarshal(line, &object) != nil || object == nil {
		return false
	}
	var compact bytes.Buffer
	json.Compact(&compact, line)
	out.Write(compact.Bytes())
	out.WriteByte('\n')
	return true
}

// correct splits at LF, skips lines over 16 MiB without holding them, and takes the last line
// without its LF.
func correct(in io.Reader, out *bufio.Writer) int {
	const most = 16 << 20
	r := bufio.NewReader(in)
	var line []byte
	over := false
	for {
		part, err := r.ReadSlice('\n')
		if over = over || len(line)+len(part) > most; !over {
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if !over {
			echo(out, line)
		}
		line, over = line[:0], false
		if err != nil {
			return 0
		}
	}
}

// ccwire is the framer of package codec, and its check that a line is JSON.
func ccwire(in io.Reader, out *bufio.Writer) int {
	for r := codec.NewReader(in, nil); ; {
		line, err := r.Next()
		if err != nil {
			return 0
		}
		if line.Kind != codec.ObjectLine || codec.Raw(line.Bytes).Find("") == nil {
			continue
		}
		fmt.Fprintf(out, "%s\n", line.Bytes)
	}
}

// scanner is the usual bufio.Scanner with a large buffer. It stops at a line over its limit.
func scanner(in io.Reader, out *bufio.Writer) int {
	s := bufio.NewScanner(in)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		echo(out, s.Bytes())
	}
	return 0
}

// scanner64K is a bufio.Scanner as it comes: it stops at a line of 64 KiB.
func scanner64K(in io.Reader, out *bufio.Writer) int {
	for s := bufio.NewScanner(in); s.Scan(); {
		echo(out, s.Bytes())
	}
	return 0
}

// eachLine calls f for every line, also the last one without LF.
func eachLine(in io.Reader, f func(line []byte)) {
	for r := bufio.NewReader(in); ; {
		line, err := r.ReadBytes('\n')
		f(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			return
		}
	}
}

func split64K(in io.Reader, out *bufio.Writer) int {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, _, err := r.ReadLine() // the flag that the line goes on is ignored
		if err != nil {
			return 0
		}
		echo(out, line)
	}
}

func splitU2028(in io.Reader, out *bufio.Writer) int {
	eachLine(in, func(line []byte) {
		for part := range bytes.SplitSeq(line, []byte("\u2028")) {
			echo(out, part)
		}
	})
	return 0
}

func poisoned(in io.Reader, out *bufio.Writer) int {
	var buffer []byte
	eachLine(in, func(line []byte) {
		buffer = append(buffer, bytes.TrimSpace(line)...)
		if len(buffer) > 16<<20 || echo(out, buffer) {
			buffer = nil
		}
	})
	return 0
}

func keepsCR(in io.Reader, out *bufio.Writer) int {
	eachLine(in, func(line []byte) {
		var object map[string]json.RawMessage
		if json.Unmarshal(line, &object) == nil && object != nil {
			fmt.Fprintf(out, "%s\n", line)
		}
	})
	return 0
}

func losesLast(in io.Reader, out *bufio.Writer) int {
	for r := bufio.NewReader(in); ; {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return 0
		}
		echo(out, line)
	}
}

func readIsLine(in io.Reader, out *bufio.Writer) int {
	for buf := make([]byte, 16<<20); ; {
		n, err := in.Read(buf)
		for line := range bytes.SplitSeq(buf[:n], []byte("\n")) {
			echo(out, line)
		}
		if err != nil {
			return 0
		}
	}
}

func streamOfValues(in io.Reader, out *bufio.Writer) int {
	for d := json.NewDecoder(in); ; {
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return 0
		}
		echo(out, v)
	}
}

func reorders(in io.Reader, out *bufio.Writer) int {
	var lines [][]byte
	eachLine(in, func(line []byte) { lines = append(lines, line) })
	if len(lines) > 3 {
		slices.Reverse(lines)
	}
	for _, line := range lines {
		echo(out, line)
	}
	return 0
}

func repeats(in io.Reader, out *bufio.Writer) int {
	eachLine(in, func(line []byte) {
		if echo(out, line) && len(line) > 60 {
			echo(out, line)
		}
	})
	return 0
}

func hangsOnBlank(in io.Reader, out *bufio.Writer) int {
	eachLine(in, func(line []byte) {
		if string(line) == "\r" {
			out.Flush()
			time.Sleep(time.Hour) // it is killed before
		}
		echo(out, line)
	})
	return 0
}

func crashesOnNoise(in io.Reader, out *bufio.Writer) int {
	code := 0
	eachLine(in, func(line []byte) {
		if code == 0 && !echo(out, line) && len(bytes.TrimSpace(line)) > 0 {
			code = 3
		}
	})
	return code
}

// twoCrashes has an exit code for noise and another one for a long separator in a frame.
func twoCrashes(in io.Reader, out *bufio.Writer) int {
	code := 0
	eachLine(in, func(line []byte) {
		switch ok := echo(out, line); {
		case code != 0 || len(bytes.TrimSpace(line)) == 0:
		case !ok:
			code = 3
		case bytes.Contains(line, []byte("\u2028")):
			code = 4
		}
	})
	return code
}

// twoPanics dies in two ways with the same exit code.
func twoPanics(in io.Reader, out *bufio.Writer) int {
	eachLine(in, func(line []byte) {
		if bytes.Contains(line, []byte("\u2028")) {
			panic("separator at " + fmt.Sprint(len(line)))
		}
		if !echo(out, line) && len(bytes.TrimSpace(line)) > 0 {
			panic(fmt.Sprintf("noise of %d bytes", len(line)))
		}
	})
	return 0
}

// slow takes half a second to start.
func slow(in io.Reader, out *bufio.Writer) int {
	time.Sleep(500 * time.Millisecond)
	return correct(in, out)
}

func slowToCrash(in io.Reader, out *bufio.Writer) int {
	time.Sleep(500 * time.Millisecond)
	return crashesOnNoise(in, out)
}

func holdsLine(in io.Reader, out *bufio.Writer) int {
	eachLine(in, func(line []byte) { echo(out, line) })
	return 0
}

// tires gets every third stream of a process wrong.
func tires(in io.Reader, out *bufio.Writer) int {
	if tired++; tired%3 == 0 {
		return 0
	}
	return correct(in, out)
}

var tired int // streams that the process got

func writesCRLF(in io.Reader, out *bufio.Writer) int {
	var buf bytes.Buffer
	w := bufio.NewWriter(&buf)
	correct(in, w)
	w.Flush()
	out.Write(bytes.ReplaceAll(buf.Bytes(), []byte("\n"), []byte("\r\n")))
	return 0
}

// bytesToCharacters decodes each read by itself, so that a character in two reads is lost.
func bytesToCharacters(in io.Reader, out *bufio.Writer) int {
	var text []byte
	buf := make([]byte, 16<<20)
	for {
		n, err := in.Read(buf)
		text = append(text, bytes.ToValidUTF8(buf[:n], []byte("\ufffd"))...)
		for {
			line, rest, ok := bytes.Cut(text, []byte("\n"))
			if !ok {
				break
			}
			echo(out, line)
			text = rest
		}
		if err != nil {
			echo(out, text)
			return 0
		}
	}
}
