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
		s := NewScan([]byte(line))
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
		if kept, _ := got.keep([]byte(line), false, nil); kept != want {
			t.Fatalf("%q: %q, want %q", line, kept, want)
		}
	})
}

func TestAScanTakesPlainTextAndSimpleEscapes(t *testing.T) {
	for _, text := range []string{``, `a`, `exactly8`, `exactly sixteen!`, `größer`, `two\n\nlines`, `\"quoted\"`, strings.Repeat(`many \\ `, 100)} {
		line := text + `"`
		s := NewScan([]byte(line))
		var got Text
		if !s.Text(&got) || got.Len() != len(text) || string(s.Take(1)) != `"` {
			t.Errorf("%q is not taken", text)
		}
	}
}

func TestAScanTakesAUUIDForWhatADecoderReads(t *testing.T) {
	const uuid = "7c0f2f0e-52a1-4c0b-9a55-0d6f3c1be001"
	s := NewScan([]byte(uuid + `"`))
	var got Text
	if !s.UUID(&got) || got != (Text{0, 36, true}) || string(s.Take(1)) != `"` {
		t.Errorf("%s is not taken", uuid)
	}
	for i := range uuid {
		for _, c := range []string{`"`, `\`, "\n", "é", ""} {
			line := uuid[:i] + c + uuid[i+1:] + `"`
			if s := NewScan([]byte(line)); s.UUID(&got) {
				t.Errorf("%q is taken", line)
			}
		}
	}
	if s := NewScan([]byte(uuid)); s.UUID(&got) {
		t.Error("a string without an end is taken")
	}
}

func TestAScanTakesIntegersOfDigitsOnly(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "7,": 7, "120}": 120, "123456789012345678": 123456789012345678} {
		s := NewScan([]byte(text))
		var got int64
		if !s.Int64(&got) || got != want {
			t.Errorf("%s is read as %d", text, got)
		}
	}
	for _, text := range []string{"", "x", "-1", "01", "00", `"1"`} {
		s := NewScan([]byte(text))
		if got := int64(7); s.Int64(&got) || got != 7 || s.pos != 0 {
			t.Errorf("%q is taken", text)
		}
	}
}

func TestAScanRemembersStringsThatRepeat(t *testing.T) {
	var d Decoder
	read := func(text string) (string, bool) {
		s := NewScan([]byte(text + `"`))
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

func TestAScanTakesAMemberThatMayBeMissing(t *testing.T) {
	for text, want := range map[string]struct {
		value string
		has   bool
		rest  string
		ok    bool
	}{
		`","id":"a"}`:    {"a", true, `"}`, true},
		`","id":""}`:     {"", true, `"}`, true},
		`"}`:             {"", false, `"}`, true},
		`","other":"a"}`: {"", false, `","other":"a"}`, true},
		``:               {"", false, ``, true},
		`","id":"\n"}`:   {ok: false},
		`","id":"a`:      {ok: false},
	} {
		var value string
		has := true
		s := NewScan([]byte(text))
		ok := s.Optional(&value, &has, `","id":"`, new(Decoder), 0)
		if ok != want.ok || ok && (value != want.value || has != want.has || text[s.pos:] != want.rest) {
			t.Errorf("%s: %q, %v, %v, at %d", text, value, has, ok, s.pos)
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
