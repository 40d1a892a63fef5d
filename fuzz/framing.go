package fuzz

import (
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/ccwire/ccwire/internal/framing"
)

// A Parser reads a stream of lines to its end and calls yield for each line that is a JSON object,
// in order. The object has the value of the line in any spelling, without the line's CR and LF; the
// slice need only be valid during the call. A line that is not a JSON object gives nothing.
//
// The reader returns as little as one byte at a time, and may return the last bytes together with
// io.EOF. It returns no other error.
//
// An error that a Parser returns is not a failure in itself: it may be how it reports a line that
// is not an object. It is judged by the objects that came out, and shown if they are not right. A
// panic is a failure, and so is a Parser that does not return. Objects that are yielded after it
// returned do not count. The reader and yield end the goroutine that calls them once the Parser has
// taken too long or yielded far more than there can be.
type Parser func(r io.Reader, yield func(object []byte)) error

// TestFraming gives a parser every hand-made stream, each in a subtest: lines in pieces, around the
// sizes of usual buffers and up to 11 MiB, carriage returns, blank lines, byte-order marks, U+2028
// and its like, invalid UTF-8, NUL bytes, deep nesting, duplicate members, noise, a last line
// without its LF. A failure says what went wrong, with the stream, the rule that it breaks and the
// cause. The causes of all failures are listed at the end, each with the smallest stream that was
// found to show it.
//
// A parser that panics or does not return fails the subtest. One that does not return is left to
// itself until it reads or yields again; the third time the rest of the streams is skipped. With
// -short, streams of more than 256 KiB are skipped.
func TestFraming(t *testing.T, p Parser) {
	t.Helper()
	if p == nil {
		t.Fatal("fuzz: no Parser")
	}
	c := framing.NewCheck(framing.Func(p))
	skipped := 0
	for _, s := range append(framing.Nasties(), framing.Edges()...) {
		t.Run(testName(s.Name), func(t *testing.T) {
			t.Helper()
			switch {
			case c.GaveUp():
				skipped++
				t.Skip("the parser hung too often")
			case testing.Short() && len(s.Data) > shortStream:
				t.Skip("a long stream, which -short leaves out")
			}
			if wrong := c.Stream(s); wrong != "" {
				t.Error(wrong)
			}
		})
	}
	if summary := c.Summary(); summary != "" {
		t.Log(summary)
	}
	if skipped > 0 {
		t.Errorf("%d streams were not tried, since the parser hung too often", skipped)
	}
}

// shortStream is the length of the longest stream that is not left out with -short.
const shortStream = 256 << 10

// testName makes a name of letters, digits and underscores, so that -run takes it as it is.
func testName(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "_")
}

// FuzzFraming fuzzes a parser with Go's own fuzzing, starting from the hand-made streams, and holds
// it to the rules of [TestFraming]. An input has two parts: bytes of the stream, and a number that
// says how they are cut into reads and how long the frames are that are put before them, so that
// lines end anywhere in the parser's buffers. What a number says may change with the version of
// this package; a failure shows the whole stream and its reads.
func FuzzFraming(f *testing.F, p Parser) {
	f.Helper()
	for _, layout := range framing.LayoutsAtEdges() {
		f.Add([]byte("{\"n\":1}\n{\"n\":2}\n"), layout)
	}
	for _, s := range framing.Nasties() {
		if len(s.Data) > maxSeed {
			continue
		}
		layout := uint16(framing.InOneRead)
		if len(s.Cuts) > 0 {
			layout = framing.ByteByByte
		}
		f.Add(s.Data, layout)
	}
	c := framing.NewCheck(framing.Func(p))
	f.Fuzz(func(t *testing.T, data []byte, layout uint16) {
		if wrong := c.Once(framing.Layout(data, layout)); wrong != "" {
			t.Fatal(wrong)
		}
	})
}

// maxSeed is the length of the longest stream that is a seed. Go makes each input small that
// reaches new code, which takes the square of its length.
const maxSeed = 128
