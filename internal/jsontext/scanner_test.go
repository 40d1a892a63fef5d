package jsontext

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

func TestKeyReadsNamesInAnySpelling(t *testing.T) {
	for _, row := range []struct {
		text string
		want []string
	}{
		{`{}`, nil},
		{" {\t\r\n} ", nil},
		{`{"a":1}`, []string{"a"}},
		{`{"a":1,"b":2}`, []string{"a", "b"}},
		{" { \"a\" : 1 , \"b\"\t:\n2 } ", []string{"a", "b"}},
		{`{"":1}`, []string{""}},
		{`{"\u0061\n":1,"\ud83d\ude00":2,"\ud800":3}`, []string{"a\n", "😀", "\xed\xa0\x80"}},
		{`{"é":1,"a b":2,"}":3,"\"":4}`, []string{"é", "a b", "}", `"`}},
		{`{"0123456789abcdef0123456789abcdef":1,"0123456789abcdef0123456789abcde\u0066":2}`,
			[]string{"0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"}},
	} {
		s := NewScanner([]byte(row.text))
		if !s.Open() {
			t.Fatal(&s.Fault)
		}
		var got []string
		for {
			key, ok := s.Key()
			if !ok {
				break
			}
			got = append(got, string(key))
			if !s.Skip() {
				break
			}
		}
		if diff := cmp.Diff(row.want, got); diff != "" || !s.OK() {
			t.Errorf("%s: %v\n%s", row.text, &s.Fault, diff)
		}
		if s.Pos != strings.LastIndexByte(row.text, '}')+1 {
			t.Errorf("%s: the position is %d", row.text, s.Pos)
		}
	}
}

// TestKeyScansEveryPosition puts what ends the scan of eight bytes at every position of names of
// every short length.
func TestKeyScansEveryPosition(t *testing.T) {
	for n := range 41 {
		for at := range n + 1 {
			before, after := strings.Repeat("a", at), strings.Repeat("z", n-at)
			for text, want := range map[string]string{`\"`: `"`, `\u0041`: "A", "é": "é", " ": " ", `\\`: `\`, "\x01": "", "\xff": "", `\q`: ""} {
				for _, colon := range []string{":", " :"} {
					for _, rest := range []string{"0}", `"a longer value"}`} {
						s := NewScanner([]byte(`{"` + before + text + after + `"` + colon + rest))
						s.Open()
						key, ok := s.Key()
						if ok != (want != "") || ok && string(key) != before+want+after {
							t.Fatalf("%q at %d of %d: %q, %v", text, at, n, key, &s.Fault)
						}
						if ok && (!s.Skip() || s.Data[s.Pos] != '}') {
							t.Fatal(&s.Fault)
						}
					}
				}
			}
		}
	}
}

func TestHopFindsTheEndThatSkipFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := jsontest.JSON(4).Draw(t, "value")
		text := []byte(`{"a":` + value + `,"b":[]}`)
		skip, hop := NewScanner(text), NewScanner(text)
		for _, s := range []*Scanner{&skip, &hop} {
			if !s.Open() {
				t.Fatal(&s.Fault)
			}
			if _, ok := s.Key(); !ok {
				t.Fatal(&s.Fault)
			}
		}
		if !skip.Skip() || !hop.Hop() {
			t.Fatalf("%s: %v, %v", text, &skip.Fault, &hop.Fault)
		}
		if skip.Pos != hop.Pos {
			t.Fatalf("%s: %d, want %d", text, hop.Pos, skip.Pos)
		}
	})
	rapid.Check(t, func(t *rapid.T) { // nothing panics, whatever the text is
		s := NewScanner([]byte(jsontest.Broken.Draw(t, "text")))
		if ok := s.Hop(); ok != s.OK() || s.Pos > len(s.Data) {
			t.Fatalf("%q: %v at %d, %v", s.Data, ok, s.Pos, &s.Fault)
		}
	})
}

func TestAFaultSaysWhatIsWantedAndWhere(t *testing.T) {
	s := NewScanner([]byte("  [1]"))
	if s.Mismatch("a string or null") {
		t.Fatal("Mismatch succeeds")
	}
	if got, want := s.Fault.Error(), "want a string or null, got an array at byte 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if s.Finish() || s.Fault.Kind != WrongKind {
		t.Errorf("the first fault is lost: %v", &s.Fault)
	}
}
