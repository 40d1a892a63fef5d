package pack

import (
	"bytes"
	"fmt"
	"slices"
)

// baseMark begins a pack that takes lines from the one of the folder after it. No other begins so:
// first is the mark of a file.
const baseMark = "lines of "

// baseLine is the first line of a pack that takes lines from that of a folder.
func baseLine(folder string) []byte { return []byte(baseMark + folder + "\n") }

// cutBase returns the folder in the first line, if it is a baseLine, and what follows it.
func cutBase(text []byte) (folder string, rest []byte, ok bool) {
	if !bytes.HasPrefix(text, []byte(baseMark)) {
		return "", text, false
	}
	first, rest, _ := bytes.Cut(text[len(baseMark):], []byte("\n"))
	return string(first), rest, true
}

// share returns a text with "=FROM,TO" in place of each run of lines that the base has too. Lines
// are numbered from 1.
func share(text, base []byte) []byte {
	lines, known := slices.Collect(bytes.Lines(text)), slices.Collect(bytes.Lines(base))
	places := map[string][]int{} // of a line in the base
	for i, line := range known {
		places[string(line)] = append(places[string(line)], i)
	}
	var b []byte
	for i := 0; i < len(lines); {
		from, count := 0, 0 // the longest run
		for _, at := range places[string(lines[i])] {
			if n := common(lines[i:], known[at:]); n > count {
				from, count = at, n
			}
		}
		if count == 0 {
			b = append(b, lines[i]...)
			i++
			continue
		}
		b = fmt.Appendf(b, "=%d,%d\n", from+1, from+count)
		i += count
	}
	return b
}

// common returns how many lines a and b have in common at their starts.
func common(a, b [][]byte) (n int) {
	for n < min(len(a), len(b)) && bytes.Equal(a[n], b[n]) {
		n++
	}
	return n
}

// restore returns what share was given.
func restore(shared, base []byte) ([]byte, error) {
	starts := []int{0} // of the lines of the base, and its end
	for line := range bytes.Lines(base) {
		starts = append(starts, starts[len(starts)-1]+len(line))
	}
	text := make([]byte, 0, len(shared)+len(base))
	for line := range bytes.Lines(shared) {
		if line[0] != '=' {
			text = append(text, line...)
			continue
		}
		var from, to int
		if _, err := fmt.Sscanf(string(line), "=%d,%d\n", &from, &to); err != nil || from < 1 || to < from || to >= len(starts) {
			return nil, fmt.Errorf("it has %q, which the pack that it takes lines from does not have", line)
		}
		text = append(text, base[starts[from-1]:starts[to]]...)
	}
	return text, nil
}
