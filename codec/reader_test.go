package codec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// chunks is a source that returns one chunk for each read, and then err.
type chunks struct {
	parts [][]byte
	err   error
}

func (c *chunks) Read(p []byte) (int, error) {
	for len(c.parts) > 0 && len(c.parts[0]) == 0 {
		c.parts = c.parts[1:]
	}
	if len(c.parts) == 0 {
		return 0, c.err
	}
	n := copy(p, c.parts[0])
	c.parts[0] = c.parts[0][n:]
	return n, nil
}

// readAll returns copies of all frames, and the error after them.
func readAll(src io.Reader, o *ReaderOptions) ([]Line, error) {
	r := NewReader(src, o)
	var frames []Line
	for {
		f, err := r.Next()
		if err != nil {
			return frames, err
		}
		f.Bytes = bytes.Clone(f.Bytes)
		frames = append(frames, f)
	}
}

// splitNaively is what a Reader must yield, said in the plainest way.
func splitNaively(data []byte, limit, large int) []Line {
	var frames []Line
	offset := int64(0)
	for len(data) > 0 {
		line, rest, terminated := bytes.Cut(data, []byte("\n"))
		data = rest
		f := Line{Kind: ObjectLine, Len: int64(len(line)), Offset: offset}
		offset += int64(len(line)) + 1
		if !terminated {
			f.Notes |= Unterminated
		} else if body, ok := bytes.CutSuffix(line, []byte("\r")); ok {
			f.Notes |= CarriageReturn
			line = body
		}
		if len(line) > large || len(line) > limit {
			f.Notes |= Large
		}
		if len(line) > limit {
			var digest jsontext.Digest
			digest.Write(line)
			f.Kind, f.Bytes = OversizeLine, digest.JSON()
			frames = append(frames, f)
			continue
		}
		if body, ok := bytes.CutPrefix(line, []byte("\ufeff")); ok {
			f.Notes |= ByteOrderMark
			line = body
		}
		f.Bytes = bytes.Clone(bytes.Trim(line, " \t\r"))
		if len(f.Bytes) == 0 {
			f.Kind = BlankLine
		} else if f.Bytes[0] != '{' {
			f.Kind = TextLine
		}
		frames = append(frames, f)
	}
	return frames
}

// equate compares frames; an empty Line and none are the same.
func equate(want, got []Line) string {
	return cmp.Diff(want, got, cmp.Comparer(bytes.Equal))
}

func TestReaderYieldsTheSameFramesForEverySplitOfShortInput(t *testing.T) {
	inputs := []string{
		"",
		"\n",
		"\r\n",
		"{}",
		"{}\n",
		"{}\r\n",
		"{}\r",
		"{\"a\":1}\n{\"b\":2}\n",
		"\n\n{}\n \t\n",
		"\ufeff{}\n\ufeff{}\r\n",
		"\ufeff\n \ufeff{}\n",
		"a\xef\xbb\xbf{}\n",
		"{\"a\":\"\u2028\u2029\u0085\"}\n",
		"{}\r{}\n\r\r\n",
		"\x00\n{}\x00\n",
		"warn: x\n{}\n[1]\n",
		"12345\n1234\r\n12345\r\n{}\n",
		"{2345678901}\r\n{}\n{2345678901}\r",
		"  {} \r\n{}  \n",
		"{\"a\":{\"b\":\"\\\"\"},\"c\":\"d\"}\r\n{}\n",
	}
	for _, limit := range []int{1, 2, 4, 5, 1000} {
		o := &ReaderOptions{MaxLine: limit, LargeLine: 3}
		for _, input := range inputs {
			data := []byte(input)
			want := splitNaively(data, limit, 3)
			for i := range len(data) + 1 {
				for j := i; j <= len(data); j++ {
					src := &chunks{[][]byte{data[:i:i], data[i:j:j], data[j:]}, io.EOF}
					got, err := readAll(src, o)
					if err != io.EOF {
						t.Fatalf("%q split at %d, %d: error %v", input, i, j, err)
					}
					if diff := equate(want, got); diff != "" {
						t.Fatalf("%q, limit %d, split at %d, %d:\n%s", input, limit, i, j, diff)
					}
				}
			}
			for name, src := range map[string]io.Reader{
				"byte by byte":        iotest.OneByteReader(bytes.NewReader(data)),
				"half of each read":   iotest.HalfReader(bytes.NewReader(data)),
				"data with the error": iotest.DataErrReader(bytes.NewReader(data)),
			} {
				got, err := readAll(src, o)
				if diff := equate(want, got); diff != "" || err != io.EOF {
					t.Fatalf("%q, limit %d, %s: error %v\n%s", input, limit, name, err, diff)
				}
			}
		}
	}
}

// drawStream makes a stream whose lines have lengths around those at which the buffer is full,
// moved or grown.
func drawStream(t *rapid.T) []byte {
	length := rapid.OneOf(
		rapid.IntRange(0, 80),
		rapid.IntRange(firstBuffer-4, firstBuffer+4),
		rapid.IntRange(firstBuffer/2-4, firstBuffer/2+4),
		rapid.IntRange(2*firstBuffer-4, 2*firstBuffer+4),
		rapid.IntRange(0, 4*firstBuffer),
	)
	begin := rapid.SampledFrom([]string{"{", "{", "{", "", " ", "\ufeff{", "\ufeff", "\r", "text", "\x00", "{\"type\":\"a\",\"b\":\"", "{\"response\":{\"request_id\":\"\\\\\"},\""})
	end := rapid.SampledFrom([]string{"\n", "\n", "\n", "}\n", "}\r\n", " \n", "\r\n", "\r\r\n", "\n\n", "\",\"uuid\":\"u\"}\n"})
	var b bytes.Buffer
	for range rapid.IntRange(0, 8).Draw(t, "lines") {
		b.WriteString(begin.Draw(t, "begin"))
		n := length.Draw(t, "length")
		filler := rapid.SampledFrom([]string{"x", "\r", " ", "\u2028", "\\\"", "[{}],"}).Draw(t, "filler")
		b.WriteString(strings.Repeat(filler, n/len(filler)))
		b.WriteString(end.Draw(t, "end"))
	}
	if rapid.Bool().Draw(t, "unterminated") {
		b.WriteString(begin.Draw(t, "last"))
	}
	return b.Bytes()
}

func TestReaderYieldsTheSameFramesForAnySplitOfLongInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := drawStream(t)
		limit := rapid.OneOf(
			rapid.IntRange(1, 100),
			rapid.IntRange(firstBuffer-4, firstBuffer+4),
			rapid.IntRange(2*firstBuffer-4, 2*firstBuffer+4),
			rapid.Just(DefaultMaxLine),
		).Draw(t, "limit")
		large := rapid.IntRange(1, 3*firstBuffer).Draw(t, "large")
		size := rapid.OneOf(rapid.IntRange(1, 64), rapid.IntRange(1, 3*firstBuffer))
		src := &chunks{err: io.EOF}
		for rest := data; len(rest) > 0; {
			n := min(size.Draw(t, "read"), len(rest))
			if len(src.parts) > 200 {
				n = len(rest)
			}
			src.parts = append(src.parts, rest[:n:n])
			rest = rest[n:]
		}
		got, err := readAll(src, &ReaderOptions{MaxLine: limit, LargeLine: large})
		if err != io.EOF {
			t.Fatalf("error %v", err)
		}
		if diff := equate(splitNaively(data, limit, large), got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestReaderNamesWhatALineIs(t *testing.T) {
	for _, row := range []struct {
		name, line string
		kind       LineKind
		notes      Notes
		want       string
	}{
		{"object", "{}\n", ObjectLine, 0, "{}"},
		{"CR before the LF", "{}\r\n", ObjectLine, CarriageReturn, "{}"},
		{"space around", " \t{} \n", ObjectLine, 0, "{}"},
		{"byte-order mark", "\ufeff{}\n", ObjectLine, ByteOrderMark, "{}"},
		{"mark after a space", " \ufeff{}\n", TextLine, 0, "\ufeff{}"},
		{"mark alone", "\ufeff\n", BlankLine, ByteOrderMark, ""},
		{"blank", "\n", BlankLine, 0, ""},
		{"blank with CR", " \r\n", BlankLine, CarriageReturn, ""},
		{"no LF at the end", "{}", ObjectLine, Unterminated, "{}"},
		{"array", "[{}]\n", TextLine, 0, "[{}]"},
		{"NUL", "\x00{}\n", TextLine, 0, "\x00{}"},
		{"lone CR", "{}\r{}\n", ObjectLine, 0, "{}\r{}"},
		{"other line ends", "{\"\u2028\u2029\u0085\v\f\"}\n", ObjectLine, 0, "{\"\u2028\u2029\u0085\v\f\"}"},
		{"broken UTF-8", "\xff\xfe\n", TextLine, 0, "\xff\xfe"},
	} {
		t.Run(row.name, func(t *testing.T) {
			// The line comes first in the stream, and after another one.
			for _, before := range []string{"", "{\"first\":1}\n"} {
				frames, err := readAll(strings.NewReader(before+row.line), nil)
				if err != io.EOF || len(frames) != 1+strings.Count(before, "\n") {
					t.Fatalf("%d frames, error %v", len(frames), err)
				}
				f := frames[len(frames)-1]
				if f.Kind != row.kind || f.Notes != row.notes || string(f.Bytes) != row.want {
					t.Errorf("got %v, notes %b, %q; want %v, notes %b, %q", f.Kind, f.Notes, f.Bytes, row.kind, row.notes, row.want)
				}
				if f.Offset != int64(len(before)) || f.Len != int64(len(strings.TrimSuffix(row.line, "\n"))) {
					t.Errorf("offset %d, length %d", f.Offset, f.Len)
				}
			}
		})
	}
}

func TestReaderReturnsGoodLinesBeforeTheErrorOfTheSource(t *testing.T) {
	broken := errors.New("pipe broke")
	src := &chunks{[][]byte{[]byte("{\"a\":1}\n{\"b\""), []byte(":2}\n{\"c\"")}, broken}
	r := NewReader(src, nil)
	for _, want := range []struct {
		line  string
		notes Notes
	}{{`{"a":1}`, 0}, {`{"b":2}`, 0}, {`{"c"`, Unterminated}} {
		f, err := r.Next()
		if err != nil || string(f.Bytes) != want.line || f.Notes != want.notes {
			t.Fatalf("got %q, notes %b, error %v; want %q", f.Bytes, f.Notes, err, want.line)
		}
	}
	for range 3 {
		if _, err := r.Next(); err != broken {
			t.Fatalf("error %v, want that of the source", err)
		}
	}
}

func TestReaderGivesUpOnASourceThatReturnsNothing(t *testing.T) {
	src := io.MultiReader(strings.NewReader("{}\n{"), readerFunc(func([]byte) (int, error) { return 0, nil }))
	frames, err := readAll(src, nil)
	if !errors.Is(err, io.ErrNoProgress) || len(frames) != 2 {
		t.Fatalf("%d frames, error %v", len(frames), err)
	}
}

func TestReaderSurvivesImpossibleCounts(t *testing.T) {
	for _, n := range []int{-1, 1 << 30} {
		frames, err := readAll(readerFunc(func([]byte) (int, error) { return n, nil }), nil)
		if !errors.Is(err, errReadCount) || len(frames) != 0 {
			t.Errorf("count %d: %d frames, error %v", n, len(frames), err)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestKindsHaveNames(t *testing.T) {
	for got, want := range map[any]string{
		ObjectLine:        "object",
		OversizeLine:      "line over the limit",
		LineKind(200):     "kind 200",
		UnknownMember:     "unknown member",
		Invalid:           "invalid",
		DeviationKind(99): "kind 99",
		Syntax:            "invalid JSON",
		Unencodable:       "cannot be encoded",
		ErrorKind(77):     "kind 77",
	} {
		if fmt.Sprint(got) != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
