package framing

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
)

// A generator makes streams at random, the same ones for the same seed.
type generator struct {
	rand    *rand.Rand
	nasties []string // lines, without LF
	number  int      // of the last frame
	long    bool     // the stream may have long lines
}

func newGenerator(seed uint64) *generator {
	g := &generator{rand: rand.New(rand.NewPCG(seed, 0x6e646a736f6e))}
	for _, n := range nasty {
		if len(n.middle) < 4096 {
			g.nasties = append(g.nasties, n.middle)
		}
	}
	return g
}

// stream makes one stream.
func (g *generator) stream() Stream {
	g.number, g.long = 0, g.rand.IntN(8) == 0 // long lines take long
	var b bytes.Buffer
	for range 1 + g.rand.IntN(30) {
		b.WriteString(g.line())
		b.WriteString(g.lineEnd())
	}
	switch g.rand.IntN(4) {
	case 0:
		b.WriteString(g.frame())
	case 1:
		f := g.frame()
		b.WriteString(f[:g.rand.IntN(len(f))])
	}
	s := Stream{Name: "random", Data: b.Bytes()}
	s.Cuts = g.cuts(s.Data)
	return s
}

// line makes a line, mostly a frame.
func (g *generator) line() string {
	switch g.rand.IntN(10) {
	case 0, 1:
		return pick(g, g.nasties)
	case 2:
		return g.noise()
	}
	return g.frame()
}

func (g *generator) lineEnd() string {
	return pick(g, []string{"\n", "\n", "\n", "\n", "\n", "\n", "\r\n", "\n\n", "\r\n\r\n", " \n"})
}

func (g *generator) frame() string {
	g.number++
	text := g.text()
	kind := g.rand.IntN(20)
	if !g.long {
		return frame(g.number, text)
	}
	switch kind {
	case 0:
		size := pick(g, boundaries[:8])
		return sized(g.number, size-20+g.rand.IntN(40), "x")
	case 1:
		return sized(g.number, 64+g.rand.IntN(100_000), pick(g, []string{"x", `\n`, `\"`, "é", "😀", `\\`}))
	}
	return frame(g.number, text)
}

var texts = []string{
	"a", "bc", " ", "漢", "😀", "é", "\u2028", "\u2029", "\u0085", "\ufeff", "\x7f", `\n`, `\r\n`, `\"`, `\\`, `\/`, `\u0000`, `\u2028`,
	`\ud83d\ude00`, "{", "}", "[", "]", ",", ":", `{\"n\":1}`, "'", "<", "&", `\t`,
}

func (g *generator) text() string {
	var b strings.Builder
	for range g.rand.IntN(8) {
		b.WriteString(pick(g, texts))
	}
	return b.String()
}

var noises = []string{
	"noise", "{", "}", "[", "]", `"`, `\`, ",", ":", "\x00", "\xff", "\xe2\x80", "\ufeff", "\r", "\t", " ", "\v", "\f", "\u2028", "\x1b[0m", "0", "null",
	`{"n":`, `"a":1`, "x",
}

func (g *generator) noise() string {
	var b strings.Builder
	for range 1 + g.rand.IntN(6) {
		b.WriteString(pick(g, noises))
	}
	if g.long && g.rand.IntN(10) == 0 {
		b.WriteString(strings.Repeat(pick(g, noises), 1+g.rand.IntN(20_000)))
	}
	return b.String()
}

// cuts chooses where the writes end.
func (g *generator) cuts(data []byte) []int {
	n := len(data)
	switch g.rand.IntN(8) {
	case 0:
		if n <= 3000 {
			return everyByte(n)
		}
		return every(n/500, n)
	case 1:
		step := 2 + g.rand.IntN(64)
		if n/step > 1000 {
			step = n / 1000
		}
		return every(step, n)
	case 2:
		return every(pick(g, boundaries[:8]), n)
	case 3, 4:
		var cuts []int
		for range g.rand.IntN(20) {
			if n > 1 {
				cuts = append(cuts, 1+g.rand.IntN(n-1))
			}
		}
		slices.Sort(cuts)
		return slices.Compact(cuts)
	case 5: // around line ends
		var cuts []int
		for i, c := range data {
			if c == '\n' && len(cuts) < 200 && i > 0 {
				cuts = append(cuts, i+g.rand.IntN(2))
			}
		}
		return slices.Compact(cuts)
	}
	return nil
}

func pick[T any](g *generator, from []T) T { return from[g.rand.IntN(len(from))] }
