package codec

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const (
	moldHead   = `{"text":"`
	moldMiddle = `","uuid":"`
	moldUUID   = "7c0f2f0e-52a1-4c0b-9a55-0d6f3c1be001"
	moldTail   = `","n":1}`
)

// molded returns a Mold of a line with the text, and the line.
func molded(text string) (*Mold, string) {
	line := moldHead + text + moldMiddle + moldUUID + moldTail
	m := new(Mold)
	from := len(moldHead)
	to := from + len(text)
	at := to + len(moldMiddle)
	b := []byte(line)
	m.Cast(b, Text{from, to, true}, Text{at, at + len(moldUUID), true})
	clear(b) // the Mold does not hold the line
	return m, line
}

// pair is an object like the lines of the tests.
type pair struct {
	Text, UUID string
	N          int64
}

var pairShape = Shape{Names: []string{"text", "uuid", "n"}, Keys: []string{`"text":`, `"uuid":`, `"n":`}, Need: Bits{7, 0}}

func (p *pair) read(d *Decoder) bool {
	var o Object
	if !o.Begin(d, &pairShape, 0, 0) {
		return false
	}
	var extra *Members
	for i := o.Next(d, &extra); i >= 0; i = o.Next(d, &extra) {
		ok := false
		switch i {
		case 0:
			ok = d.String(&p.Text)
		case 1:
			ok = d.String(&p.UUID)
		case 2:
			ok = d.Int64(&p.N)
		}
		if !ok {
			return false
		}
	}
	return o.End(d)
}

func TestAMoldFitsLinesThatDifferInTheTwoStringsOnly(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"plain text", "x", `\n`, `\"`, `\\`, `\/`, `é`, "€", "😀", `\u00e9`, `\ud83d`, "\xff", "\xe2\x82", "\x1f", "\x00", `\x`, `\`, `"`, moldMiddle, moldTail})
	m, _ := molded("first")
	rapid.Check(t, func(t *rapid.T) {
		line := moldHead + strings.Join(rapid.SliceOf(pieces).Draw(t, "text"), "") + moldMiddle +
			rapid.StringMatching(`[0-9a-f-]{36}|[0-9a-f-]{34,38}|[0-9a-f"\\é-]{36}`).Draw(t, "uuid") + moldTail
		text, uuid, ok := m.Fits([]byte(line))
		if !ok {
			return
		}
		var want pair
		if err := Unmarshal(&want, []byte(line), nil, (*pair).read); err != nil {
			t.Fatalf("%q fits: %v", line, err)
		}
		got := pair{N: 1}
		got.Text, got.UUID = Keep([]byte(line), nil, nil, text, uuid)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: %s", line, diff)
		}
	})
}

func TestAMoldFitsTextsOfAnyLength(t *testing.T) {
	m, _ := molded("first")
	for n := range 70 {
		texts := []string{strings.Repeat("x", n)}
		for at := range n + 1 {
			for _, c := range []string{`\n`, "é"} {
				texts = append(texts, strings.Repeat("x", at)+c+strings.Repeat("x", n-at))
			}
		}
		for _, text := range texts {
			_, line := molded(text)
			body, uuid, ok := m.Fits([]byte(line))
			if !ok || line[body.from:body.to] != text || line[uuid.from:uuid.to] != moldUUID {
				t.Errorf("%q: %v, %v", text, body, uuid)
			}
			if plain := !strings.Contains(text, `\`); body.plain != plain {
				t.Errorf("%q: plain is %v", text, body.plain)
			}
		}
	}
}

func TestAMoldFitsNoOtherLine(t *testing.T) {
	const body = "some text"
	m, line := molded(body)
	for i := range line {
		if i >= len(moldHead) && i < len(moldHead)+len(body) {
			continue
		}
		for _, c := range []string{`"`, `\`, "\n", "\x80", "", "xx"} {
			if c == line[i:i+1] {
				continue
			}
			other := line[:i] + c + line[i+1:]
			if _, _, ok := m.Fits([]byte(other)); ok {
				t.Errorf("%q fits", other)
			}
		}
		if _, _, ok := m.Fits([]byte(line[:i])); ok {
			t.Errorf("%q fits", line[:i])
		}
	}
	for _, other := range []string{"", line, strings.Repeat("x", 36), strings.Repeat("x", 50)} {
		if _, _, ok := new(Mold).Fits([]byte(other)); ok {
			t.Errorf("the zero Mold fits %q", other)
		}
	}
}

func TestAMoldFitsNoBrokenText(t *testing.T) {
	m, _ := molded("first")
	for n := range 70 {
		for at := range n {
			for _, c := range []string{`"`, "\n", "\xff"} {
				_, line := molded(strings.Repeat("x", at) + c + strings.Repeat("x", n-at))
				if _, _, ok := m.Fits([]byte(line)); ok {
					t.Errorf("%q fits", line)
				}
			}
		}
	}
}

func TestKeepPutsStringsWhereItIsTold(t *testing.T) {
	for _, row := range []struct{ text, want string }{{"plain", "plain"}, {`a\tb\u00e9`, "a\tbé"}, {"", ""}} {
		m, line := molded(row.text)
		for _, room := range []int{0, 4, 40, 88} {
			b, memory := []byte(line), make([]byte, room)
			text, uuid, ok := m.Fits(b)
			if !ok {
				t.Fatalf("%q does not fit", line)
			}
			got, id := Keep(b, nil, memory, text, uuid)
			for i := range b {
				b[i] = 'X'
			}
			if got != row.want || id != moldUUID {
				t.Errorf("%q, %d bytes: %q, %q", row.text, room, got, id)
			}
			if fits := len(row.want)+len(id) <= room; bytes.Contains(memory, []byte(id)) != fits {
				t.Errorf("%q, %d bytes: the room holds %q", row.text, room, memory)
			}
		}
	}
}

func TestKeepSharesTheLineIfTold(t *testing.T) {
	m, line := molded("plain")
	b := []byte(line)
	text, uuid, ok := m.Fits(b)
	if !ok {
		t.Fatal("the line does not fit")
	}
	got, id := Keep(b, &Options{Alias: true}, make([]byte, 88), text, uuid)
	b[text.from], b[uuid.from] = 'P', 'X'
	if (got == "Plain") != sharesStrings || strings.HasPrefix(id, "X") != sharesStrings {
		t.Errorf("%q, %q", got, id)
	}
}

func TestOptionsLimitHowDeepAValueMayNest(t *testing.T) {
	for _, row := range []struct {
		o    *Options
		want bool
	}{{nil, true}, {&Options{}, true}, {&Options{MaxDepth: 3}, true}, {&Options{MaxDepth: 2}, false}} {
		if row.o.Nests(3) != row.want {
			t.Errorf("%+v: %v", row.o, !row.want)
		}
	}
}
