package framing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Vocabulary makes the frames in the streams those of a protocol, each with an id, for parsers
// that take no others. Such a parser may write what it likes of a frame: it is known by its id.
type Vocabulary struct {
	// Frames are the frames, as JSON objects with [ID] in the place of the id. A parser must take
	// them also with other members after their own.
	Frames []string

	// Keys are where the parser's output has the id: names of members, with dots between them. The
	// first that is there counts.
	Keys []string
}

// ID stands for the id in a frame of a [Vocabulary].
const ID = "00000000-0000-4000-8000-000000000000"

func idOf(number string) string { return ID[:len(ID)-min(len(number), 12)] + number }

// numberOf returns the number that an id was made of.
func numberOf(id string) (int, bool) {
	const plain = 24 // characters before the last part
	if len(id) != len(ID) || id[:plain] != ID[:plain] {
		return 0, false
	}
	n, err := strconv.Atoi(id[plain:])
	return n, err == nil
}

var numbered = regexp.MustCompile(`"n":([0-9]{1,9})\b`)

// translate puts the members of a frame of the protocol in the place of each number in a stream. A
// long line stays as long as it is.
func (v *Vocabulary) translate(s Stream) Stream {
	if v == nil {
		return s
	}
	out := Stream{Name: s.Name, Size: s.Size, AtEnd: s.AtEnd}
	cuts, last := s.Cuts, 0
	keep := func(to int) { // what stands before a place, with the cuts in it
		for ; len(cuts) > 0 && cuts[0] <= to; cuts = cuts[1:] {
			out.Cuts = append(out.Cuts, len(out.Data)+max(0, cuts[0]-last))
		}
		out.Data = append(out.Data, s.Data[last:to]...)
	}
	const most = 20
	var added []int // places after the members, and how many bytes more they are
	for _, at := range numbered.FindAllSubmatchIndex(s.Data, -1) {
		keep(at[0])
		number := string(s.Data[at[2]:at[3]])
		n, _ := strconv.Atoi(number)
		frame := v.Frames[n%len(v.Frames)]
		members := strings.ReplaceAll(frame[1:len(frame)-1], ID, idOf(number))
		out.Data = append(out.Data, members...)
		last = at[1]
		if len(added) <= 2*most {
			added = append(added, len(out.Data), len(members)-(at[1]-at[0]))
		}
	}
	keep(len(s.Data))
	if len(added) > 2*most {
		added = nil // no length matters among so many frames
	}
	for i := len(added) - 2; i >= 0; i -= 2 {
		out = out.shortenedAfter(added[i], added[i+1])
	}
	if len(s.Cuts) > 0 && len(s.Cuts) == len(s.Data)-1 {
		out.Cuts = everyByte(len(out.Data))
	}
	out.Cuts = slices.Compact(out.Cuts)
	return out
}

// shortenedAfter takes bytes out of a long run of x in the line, after a place in it.
func (s Stream) shortenedAfter(at, by int) Stream {
	end := len(s.Data)
	if lf := bytes.IndexByte(s.Data[at:], '\n'); lf >= 0 {
		end = at + lf
	}
	run := bytes.Index(s.Data[at:end], bytes.Repeat([]byte("x"), 64))
	if run < 0 || by <= 0 {
		return s
	}
	from := at + run
	return s.splice(from, from+min(by, runLength(s.Data[from:end])-1), nil)
}

// expect turns the frames of a stream into what is left of them in the output: the number of each.
// Frames without an id are left out, as they are in the output.
func (v *Vocabulary) expect(all []Expected) []Expected {
	if v == nil {
		return all
	}
	var kept []Expected
	for _, e := range all {
		n, ok := v.number(e.value, ownKeys)
		if !ok && e.loose {
			e.value = nil // such as two ids
			kept = append(kept, e)
		}
		if !ok {
			continue
		}
		e.Must = e.Must && v.valid(e.Text, n)
		e.loose, e.value = false, numberValue(n)
		kept = append(kept, e)
	}
	return kept
}

// valid reports whether a line is one of the frames, with the id of a number and perhaps more
// members after its own.
func (v *Vocabulary) valid(line []byte, n int) bool {
	line = bytes.ReplaceAll(line, []byte(idOf(strconv.Itoa(n))), []byte(ID))
	return slices.ContainsFunc(v.Frames, func(frame string) bool {
		return bytes.HasPrefix(line, []byte(frame[:len(frame)-1]))
	})
}

// ownKeys are where the protocol has an id.
var ownKeys = []string{"uuid", "request_id", "response.request_id"}

// output turns each line that a parser wrote into the number of its frame.
func (v *Vocabulary) output(written []byte) []byte {
	if v == nil {
		return written
	}
	keys := v.Keys
	if len(keys) == 0 {
		keys = ownKeys
	}
	var b bytes.Buffer
	for line := range bytes.Lines(written) {
		value, ok := parseOutput(bytes.TrimRight(line, "\r\n"))
		if !ok {
			b.Write(line)
		} else if n, ok := v.number(value, keys); ok {
			fmt.Fprintf(&b, "{\"n\":%d}\n", n)
		}
	}
	return b.Bytes()
}

// number returns the number in the id of a value.
func (v *Vocabulary) number(value any, keys []string) (int, bool) {
	for _, key := range keys {
		at := value
		for name := range strings.SplitSeq(key, ".") {
			object, _ := at.(map[string]any)
			at = object[name]
		}
		if id, ok := at.(string); ok {
			return numberOf(id)
		}
	}
	return 0, false
}

func numberValue(n int) any {
	return map[string]any{"n": json.Number(strconv.Itoa(n))}
}
