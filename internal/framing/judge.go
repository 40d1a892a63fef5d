package framing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// A Kind says what a parser did wrong.
type Kind string

const (
	Lost      Kind = "lost"             // a frame did not come out
	Merged    Kind = "merged"           // several frames came out as one
	Split     Kind = "split"            // one frame came out as several
	Changed   Kind = "changed"          // a frame came out with another value
	Invented  Kind = "invented"         // something came out that is not a frame of the stream
	Repeated  Kind = "repeated"         // a frame came out twice
	Reordered Kind = "reordered"        // frames came out in another order
	CRKept    Kind = "cr-kept"          // a carriage return of the input is in the output
	LineLimit Kind = "line-limit"       // frames fail from some length of the line on
	Hang      Kind = "hang"             // no end within the deadline
	Crash     Kind = "crash"            // an exit code other than 0, or a signal
	Growth    Kind = "unbounded-growth" // memory grows with the length of a line or of the stream
)

// A Problem is what is wrong with a parser's answer to one stream.
type Problem struct {
	Kind   Kind
	Detail string
}

// judge compares what a parser wrote with what it must write; nil means that all is well. The
// parser's own line end may be CR LF.
func judge(expected []Expected, output []byte, crlf bool) *Problem {
	var texts [][]byte
	for len(output) > 0 {
		var line []byte
		line, output, _ = bytes.Cut(output, []byte("\n"))
		if len(bytes.TrimSpace(line)) > 0 {
			texts = append(texts, line)
		}
	}
	return judgeObjects(expected, texts, crlf)
}

// judgeObjects compares the objects that a parser gave with what it must give. Each may end in a
// carriage return if crlf is set.
func judgeObjects(expected []Expected, objects [][]byte, crlf bool) *Problem {
	var got []any
	var texts [][]byte
	keptCR, next := -1, 0
	for _, line := range objects {
		if body, ok := bytes.CutSuffix(line, []byte("\r")); ok {
			if !crlf {
				keptCR = len(got)
			}
			line = body
		}
		value, ok := asWritten(expected, &next, line)
		if !ok {
			value, ok = parseOutput(line)
		}
		if !ok {
			return &Problem{Invented, fmt.Sprintf("line %d of the output is not a JSON object: %s", len(got)+1, Quote(line))}
		}
		got = append(got, value)
		texts = append(texts, line)
	}
	if !accepts(expected, got) {
		return diagnose(expected, got, texts)
	}
	if keptCR >= 0 {
		return &Problem{CRKept, fmt.Sprintf("line %d of the output ends with a carriage return, which stood before the LF of the input", keptCR+1)}
	}
	return nil
}

// asWritten returns the value of one of the next frames if the parser wrote it in the same
// spelling, as most do. Then it need not be read.
func asWritten(expected []Expected, next *int, line []byte) (any, bool) {
	for i := *next; i < min(*next+8, len(expected)); i++ {
		if e := &expected[i]; !e.loose && bytes.Equal(e.Text, line) {
			*next = i + 1
			return e.value, true
		}
	}
	return nil, false
}

// parseOutput reads a line that the parser wrote.
func parseOutput(line []byte) (any, bool) {
	r := outputs.of(line, func(line []byte) output {
		v, ok := parseNewOutput(line)
		return output{v, ok}
	})
	return r.value, r.ok
}

type output struct {
	value any
	ok    bool
}

var outputs memo[output]

func parseNewOutput(line []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return nil, false
	}
	_, ok := v.(map[string]any)
	return v, ok
}

// accepts reports whether got is a possible output: all frames that must come, some of those that
// may, in order, and nothing else. It follows every way at once to read got that way.
func accepts(expected []Expected, got []any) bool {
	at := []int{0} // how many of the expected frames are behind us, for each way
	for _, v := range got {
		var next []int
		for _, i := range at {
			for ; i < len(expected); i++ {
				if expected[i].matches(v) && (len(next) == 0 || next[len(next)-1] < i+1) {
					next = append(next, i+1)
				}
				if expected[i].Must {
					break
				}
			}
		}
		if at = next; len(at) == 0 {
			return false
		}
	}
	for i := at[len(at)-1]; i < len(expected); i++ {
		if expected[i].Must {
			return false
		}
	}
	return true
}

// diagnose says how got differs from what was expected.
func diagnose(expected []Expected, got []any, texts [][]byte) *Problem {
	missing, extra := align(expected, got)
	lost, moved := must(missing), permuted(missing, extra, got)
	switch n := count(len(lost), "frame"); {
	case moved && len(lost) > len(extra):
		return &Problem{Reordered, fmt.Sprintf("frames came out in another order, and %d did not", len(lost)-len(extra))}
	case moved:
		return &Problem{Reordered, fmt.Sprintf("the %d frames came out in another order", len(got))}
	case len(extra) == 0:
		return &Problem{Lost, fmt.Sprintf("%s did not come out: %s", n, place(lost[0]))}
	case len(lost) == 0 && isFrameOf(expected, got[extra[0]]):
		return &Problem{Repeated, fmt.Sprintf("a frame came out twice: %s", Quote(texts[extra[0]]))}
	case len(lost) == 0:
		return &Problem{Invented, fmt.Sprintf("no frame of the stream: %s", Quote(texts[extra[0]]))}
	case len(lost) == 1 && len(extra) == 1:
		return &Problem{Changed, fmt.Sprintf("%s came out as %s", place(lost[0]), Quote(texts[extra[0]]))}
	case len(lost) == 1:
		return &Problem{Split, fmt.Sprintf("%s came out as %d lines, the first is %s", place(lost[0]), len(extra), Quote(texts[extra[0]]))}
	default:
		return &Problem{Merged, fmt.Sprintf("%s came out as %s", n, Quote(texts[extra[0]]))}
	}
}

// permuted reports whether each value that came in the wrong place is a frame that did not come in
// its own.
func permuted(missing []Expected, extra []int, got []any) bool {
	left := slices.Clone(missing)
	for _, n := range extra {
		i := slices.IndexFunc(left, func(e Expected) bool { return e.value != nil && e.matches(got[n]) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return len(extra) > 0
}

// isFrameOf reports whether a value is a frame of the stream.
func isFrameOf(expected []Expected, v any) bool {
	return slices.ContainsFunc(expected, func(e Expected) bool { return e.value != nil && e.matches(v) })
}

func place(e Expected) string { return fmt.Sprintf("line %d, %s", e.Line, Quote(e.Text)) }
