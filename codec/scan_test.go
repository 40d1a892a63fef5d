package codec

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestAScanTakesAStringForWhatADecoderReads(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"plain text", "x", `\n`, `\"`, `\\`, `\/`, `é`, "€", "😀", `\u00e9`, `\ud83d`, "\xff", "\xe2\x82", "\x1f", "\x00", `\x`, `\`, `"`})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(pieces).Draw(t, "pieces"), "")
		line := `"` + text + `",`
		s, _ := NewScan([]byte(line), nil, 1)
		s.Take(1)
		var got Text
		taken := s.Text(&got)
		d := decoderOf(line, nil)
		var want string
		if ok := d.String(&want); ok != taken || ok && s.pos+1 != d.Pos() {
			t.Fatalf("%q: taken up to %d, %v; a decoder is at %d: %v", line, s.pos, taken, d.Pos(), d.Err())
		}
		if !taken {
			return
		}
		if kept := s.Keep(got); kept != want {
			t.Fatalf("%q: %q, want %q", line, kept, want)
		}
	})
}

func TestAScanTakesPlainTextAndSimpleEscapes(t *testing.T) {
	for _, text := range []string{``, `a`, `exactly8`, `exactly sixteen!`, `größer`, `two\n\nlines`, `\"quoted\"`, strings.Repeat(`many \\ `, 100)} {
		line := text + `"`
		s, _ := NewScan([]byte(line), nil, 1)
		var got Text
		if !s.Text(&got) || got.Len() != len(text) || string(s.Take(1)) != `"` {
			t.Errorf("%q is not taken", text)
		}
	}
}

func TestAScanTakesAUUIDForWhatADecoderReads(t *testing.T) {
	const uuid = "7c0f2f0e-52a1-4c0b-9a55-0d6f3c1be001"
	s, _ := NewScan([]byte(uuid+`"`), nil, 1)
	var got Text
	if !s.UUID(&got) || s.Keep(got) != uuid || string(s.Take(1)) != `"` {
		t.Errorf("%s is not taken", uuid)
	}
	for i := range uuid {
		for _, c := range []string{`"`, `\`, "\n", "é", ""} {
			line := uuid[:i] + c + uuid[i+1:] + `"`
			if s, _ := NewScan([]byte(line), nil, 1); s.UUID(&got) {
				t.Errorf("%q is taken", line)
			}
		}
	}
	if s, _ := NewScan([]byte(uuid), nil, 1); s.UUID(&got) {
		t.Error("a string without an end is taken")
	}
}

func TestAScanTakesIntegersOfDigitsOnly(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "7,": 7, "120}": 120, "123456789012345678": 123456789012345678} {
		s, _ := NewScan([]byte(text), nil, 1)
		var got int64
		if !s.Int64(&got) || got != want {
			t.Errorf("%s is read as %d", text, got)
		}
	}
	for _, text := range []string{"", "x", "-1", "01", "00", `"1"`} {
		s, _ := NewScan([]byte(text), nil, 1)
		if got := int64(7); s.Int64(&got) || got != 7 || s.pos != 0 {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestAScanRemembersStringsThatRepeat(t *testing.T) {
	var d Decoder
	read := func(text string) (string, bool) {
		s, _ := NewScan([]byte(text+`"`), nil, 1)
		var got string
		ok := s.Repeated(&got, &d, 3)
		return got, ok
	}
	for _, text := range []string{"first", "first", "firs", "first one", "other"} {
		if got, ok := read(text); !ok || got != text {
			t.Errorf("%q is read as %q, %v", text, got, ok)
		}
	}
	if n := testing.AllocsPerRun(10, func() { _, _ = read("other") }); n > 1 { // the line itself
		t.Errorf("%v allocations", n)
	}
	for _, text := range []string{`with\nescape`, strings.Repeat("long", maxRepeated)} {
		if _, ok := read(text); ok {
			t.Errorf("%.20q is taken", text)
		}
	}
}

func TestAScanKeepsStringsWhereItIsTold(t *testing.T) {
	line := []byte(`plain`)
	plain, escaped := Text{line, true}, Text{[]byte(`a\tb`), false}
	var room [8]byte

	s, _ := NewScan(line, nil, 1)
	s.Lend(room[:])
	got := []string{s.Keep(plain), s.Keep(escaped), s.Keep(plain), s.Keep(Text{}), s.Keep(escaped)}
	if diff := cmp.Diff([]string{"plain", "a\tb", "plain", "", "a\tb"}, got); diff != "" {
		t.Error(diff)
	}
	if string(room[:]) != "plain\x00\x00\x00" { // the others did not fit
		t.Errorf("lent memory holds %q", room)
	}

	aliased, _ := NewScan(line, &Options{Alias: true}, 1)
	shared, copied := aliased.Keep(plain), aliased.Keep(escaped)
	line[0] = 'P'
	if (shared == "Plain") != sharesStrings || copied != "a\tb" || got[0] != "plain" {
		t.Errorf("%q, %q, %q", shared, copied, got[0])
	}
}

func TestAScanObeysTheLimitOfDepth(t *testing.T) {
	for _, row := range []struct {
		o    *Options
		want bool
	}{{nil, true}, {&Options{}, true}, {&Options{MaxDepth: 3}, true}, {&Options{MaxDepth: 2}, false}} {
		if _, ok := NewScan(nil, row.o, 3); ok != row.want {
			t.Errorf("%+v: %v", row.o, ok)
		}
	}
}

func TestAGuessIsMadeByTheFirstMember(t *testing.T) {
	for text, want := range map[string]bool{
		`{"id":"a","type":"item"}`: true,
		`{"count":1}`:              true,
		`{"type":"item","id":"a"}`: false, // no guess is needed
		`{"type": "item"}`:         false,
		`{ "id":"a"}`:              false,
		`{"idol":1}`:               false,
		`{}`:                       false,
		`[]`:                       false,
		``:                         false,
	} {
		if got := decoderOf(text, nil).Guess(`{"type":"`, &itemShape); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestUndoForgetsAWrongGuess(t *testing.T) {
	var seen []string
	d := decoderOf(`{"id":"a","new":[1],"type":"other"}`, &Options{Report: func(v Deviation) { seen = append(seen, v.Detail) }})
	d.Deviate(LegacyShape, 0, "before")
	m := d.Mark()
	if new(item).read(d) {
		t.Fatal("another type is read as an item")
	}
	d.Undo(m)
	if d.Err() != nil || d.Pos() != 0 || !d.Skip() || !d.Finish() {
		t.Fatalf("at %d: %v", d.Pos(), d.Err())
	}
	if diff := cmp.Diff([]string{"before"}, seen); diff != "" {
		t.Error(diff)
	}
}
