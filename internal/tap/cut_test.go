package tap

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestLinesAreCutHoweverTheBytesCome(t *testing.T) {
	text := "one\n\ntwo" + strings.Repeat("x", 2000) + "\nthree"
	for _, size := range []int{1, 2, 3, 7, 4096} {
		c := cutter{limit: 1500}
		var got []piece
		emit := func(p piece) { p.text = bytes.Clone(p.text); got = append(got, p) }
		for rest := []byte(text); len(rest) > 0; {
			n := min(size, len(rest))
			c.write(rest[:n], emit)
			rest = rest[n:]
		}
		c.end(emit)
		if len(got) != 4 || string(got[0].text) != "one" || len(got[1].text) != 0 ||
			got[2].length != 2003 || len(got[2].text) != headLine || string(got[3].text) != "three" || !got[3].unterminated {
			t.Errorf("in pieces of %d: %+v", size, got)
		}
	}
}

func TestBehindAGapTheRecordingGoesOnWithAWholeLine(t *testing.T) {
	c := cutter{limit: 1500}
	var got []string
	emit := func(p piece) { got = append(got, string(p.text)) }
	c.write([]byte("one\ntw"), emit)
	c.broken(10, emit)
	c.gap = 10
	for _, text := range []string{"the en", "d\nthree\nfour\n"} {
		p, missing := c.skip([]byte(text))
		if want := int64(0); text[0] == 'd' && missing != 18 || text[0] != 'd' && missing != want {
			t.Errorf("%d bytes are missing at %q", missing, text)
		}
		c.write(p, emit)
	}
	if want := []string{"one", "tw", "three", "four"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
