package jsontext

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

func TestCheckNamesKindAndPlace(t *testing.T) {
	for _, row := range []struct {
		text string
		kind Kind // 0 where nothing is wrong
		at   int
		want string
	}{
		{`null`, 0, 0, ""},
		{` {"a":[1,-2.5e3,"x",true,{}],"b":{"a":1}} `, 0, 0, ""},
		{`[{"a":1},{"a":1}]`, 0, 0, ""},
		{`{"a":1,"A":1,"":1,"\ud800":1,"\ud801":1}`, 0, 0, ""},
		{``, Syntax, 0, "a value, found the end of the line"},
		{` `, Syntax, 1, "a value, found the end of the line"},
		{`x`, Syntax, 0, "a value"},
		{`[1,]`, Syntax, 3, "a value"},
		{`{"a":1} {}`, Syntax, 8, "the end of the line"},
		{`{"a" 1}`, Syntax, 5, "':'"},
		{`{"a":1,}`, Syntax, 7, "a member's name"},
		{`{"a":01}`, Syntax, 5, "a number"},
		{`["a`, Syntax, 3, noQuote},
		{`["\x"]`, Syntax, 2, badEscape},
		{"[\"a\n\"]", Syntax, 3, control},
		{"[\"\xff\"]", BadUTF8, 2, notUTF8},
		{"{\"\xff\":1}", BadUTF8, 2, notUTF8},
		{"[\"\xed\xa0\x80\"]", BadUTF8, 2, notUTF8},
		{`[[[[[]]]]]`, TooDeep, 4, "at most 4 levels"},
		{`[{"a":[{"b":{}}]}]`, TooDeep, 12, "at most 4 levels"},
		{`[[[[]]],[[[]]]]`, 0, 0, ""},
		{`{"a":1,"a":2}`, Duplicate, 11, DuplicateMember},
		{`{"a":1, "\u0061" : 2}`, Duplicate, 18, DuplicateMember},
		{`{"":1,"":2}`, Duplicate, 9, DuplicateMember},
		{`[{"b":{"a":1,"a":2}}]`, Duplicate, 17, DuplicateMember},
		{`{"a":[{},{"x":1,"y":{},"x":2}]}`, Duplicate, 27, DuplicateMember},
		{`{"a":1,"a":}`, Syntax, 11, "a value"}, // the grammar comes first
	} {
		f := Check([]byte(row.text), 4)
		switch {
		case row.kind == 0 && f != nil:
			t.Errorf("%q: %v", row.text, f)
		case row.kind != 0 && (f == nil || *f != Fault{row.kind, row.at, row.want}):
			t.Errorf("%q: %+v, want %v at %d: %s", row.text, f, row.kind, row.at, row.want)
		}
	}
	if f := Check([]byte(`1`), 0); f != nil {
		t.Errorf("a number nests: %v", f)
	}
	if f := Check([]byte(`[]`), 0); f == nil || f.Kind != TooDeep {
		t.Errorf("an array does not nest: %v", f)
	}
}

var surrogates = regexp.MustCompile(`\\\\|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..`)

// hasDuplicates reports whether an object in a valid text has duplicate members, by encoding/json.
func hasDuplicates(t rapid.TB, text string) bool {
	t.Helper()
	// encoding/json reads every lone surrogate as U+FFFD, so that two names with different ones
	// would seem to be the same.
	text = surrogates.ReplaceAllStringFunc(text, func(s string) string {
		if len(s) != 6 { // an escaped backslash, or a pair
			return s
		}
		return `<` + strings.ToLower(s[2:]) + `>`
	})
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var value func() bool
	value = func() bool {
		token, err := d.Token()
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		found := false
		switch token {
		case json.Delim('{'):
			seen := map[string]bool{}
			for d.More() {
				name, err := d.Token()
				if err != nil {
					t.Fatalf("%q: %v", text, err)
				}
				found = seen[name.(string)] || found
				seen[name.(string)] = true
				found = value() || found
			}
			_, _ = d.Token()
		case json.Delim('['):
			for d.More() {
				found = value() || found
			}
			_, _ = d.Token()
		}
		return found
	}
	return value()
}

func TestCheckAgreesWithEncodingJSON(t *testing.T) {
	check := func(t *rapid.T, text string) {
		f := Check([]byte(text), DefaultMaxDepth)
		valid := json.Valid([]byte(text)) && utf8.ValidString(text)
		if broken := f != nil && f.Kind != Duplicate; broken == valid {
			t.Fatalf("%q: %v", text, f)
		}
		if valid && (f != nil) != hasDuplicates(t, text) {
			t.Fatalf("%q: %v", text, f)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, jsontest.JSON(4).Draw(t, "text")) })
	rapid.Check(t, func(t *rapid.T) { check(t, jsontest.Broken.Draw(t, "text")) })
	rapid.Check(t, func(t *rapid.T) { // with names of which many are the same
		name := rapid.SampledFrom([]string{`"a"`, `"\u0061"`, `"b"`, `""`, `"c"`})
		text := "{}"
		for range rapid.IntRange(1, 3).Draw(t, "levels") {
			var members []string
			for _, n := range rapid.SliceOfN(name, 0, 3).Draw(t, "names") {
				members = append(members, n+jsontest.Space.Draw(t, "space")+":"+text)
			}
			text = "{" + strings.Join(members, ",") + "}"
		}
		check(t, text)
	})
}

func TestSkipLeavesDuplicatesToUnique(t *testing.T) {
	text := []byte(`[{"a":1,"a":[{}]},2]`)
	s := NewScanner(text)
	if !s.Skip() || !s.Finish() || s.Depth != 0 {
		t.Fatal(&s.Fault)
	}
	s.Pos = 0
	if s.Unique() || s.Fault.Kind != Duplicate || s.Fault.At != 12 {
		t.Error(&s.Fault)
	}
}

// TestCompactTextIsSkippedAsAnyOtherIs holds the loop for text without space against the reader of
// all text: it takes nothing that the other does not, ends where the other does, and takes all that
// it is for.
func TestCompactTextIsSkippedAsAnyOtherIs(t *testing.T) {
	check := func(t *rapid.T, text string) {
		before := rapid.SampledFrom([]string{"", "[", "1,", `"a":`}).Draw(t, "before") // where a value may begin
		s := Scanner{Data: []byte(before + text), Pos: len(before), MaxDepth: rapid.IntRange(0, 5).Draw(t, "depth")}
		end := compactEnd(s.Data, s.Pos, s.MaxDepth)
		ok := s.skipAny()
		if end >= 0 && (!ok || s.Pos != end) {
			t.Fatalf("%q: compact it ends at %d, else at %d, %v", s.Data, end, s.Pos, s.Fault)
		}
		var compact bytes.Buffer
		if json.Compact(&compact, []byte(text)) != nil || !utf8.ValidString(text) {
			return
		}
		whole := Scanner{Data: compact.Bytes(), MaxDepth: s.MaxDepth}
		want := -1
		if whole.skipAny() {
			want = whole.Pos
		}
		if end := compactEnd(whole.Data, 0, s.MaxDepth); end != want {
			t.Fatalf("%q ends at %d, want %d", compact.Bytes(), end, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, jsontest.JSON(4).Draw(t, "text")) })
	rapid.Check(t, func(t *rapid.T) { check(t, jsontest.Broken.Draw(t, "text")) })
}

func TestSkipNestsAsDeepAsItMay(t *testing.T) {
	for open, closing := range map[string]string{"[": "]", `{"a":`: "}", `[{"a":`: "}]"} {
		for _, n := range []int{1, 63, 64, 65, 511, 512, 1022, 1023, 1024, 1025, 3000} {
			text := []byte(strings.Repeat(open, n) + "0" + strings.Repeat(closing, n))
			depth := n * len(closing)
			s := Scanner{Data: text, MaxDepth: depth}
			if !s.Skip() || !s.Finish() {
				t.Errorf("%d times %s: %v", n, open, s.Fault)
			}
			s = Scanner{Data: text, MaxDepth: depth - 1}
			if s.Skip() || s.Fault.Kind != TooDeep {
				t.Errorf("%d times %s, one too deep: %v", n, open, s.Fault)
			}
			wrong := append([]byte(nil), text...)
			wrong[len(wrong)-1] ^= ']' ^ '}'
			s = Scanner{Data: wrong, MaxDepth: depth}
			if s.Skip() {
				t.Errorf("%d times %s is taken with a wrong end", n, open)
			}
		}
	}
}
