package codec

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// readString reads a text that is one string, in both modes of memory.
func readString(t rapid.TB, text string) (string, error) {
	t.Helper()
	var first string
	var firstErr error
	for i, o := range []*Options{nil, {Alias: true}} {
		d := decoderOf(text, o)
		var s string
		if d.String(&s) {
			d.Finish()
		}
		if i == 0 {
			first, firstErr = s, d.Err()
		} else if s != first || (d.Err() == nil) != (firstErr == nil) {
			t.Fatalf("%q: %q, %v when copied; %q, %v when shared", text, first, firstErr, s, d.Err())
		}
	}
	return first, firstErr
}

func TestStringUnderstandsEveryEscape(t *testing.T) {
	for text, want := range map[string]string{
		`""`:                         "",
		`"a"`:                        "a",
		`"\"\\\/\b\f\n\r\t"`:         "\"\\/\b\f\n\r\t",
		`"\u0000\u001f\u007f"`:       "\x00\x1f\x7f",
		`"\u00e9\u00E9é"`:            "ééé",
		`"\u2028\u0085"`:             "\u2028\u0085",
		`"\uffff\ufffd"`:             "\uffff\ufffd",
		`"\ud83d\ude00"`:             "😀",
		`"\uD83D\uDE00"`:             "😀",
		`"\ud800\udc00"`:             "\U00010000",
		`"\udbff\udfff"`:             "\U0010ffff",
		`"\ud800"`:                   "\xed\xa0\x80",
		`"\udfff"`:                   "\xed\xbf\xbf",
		`"\udbff"`:                   "\xed\xaf\xbf",
		`"\udc00"`:                   "\xed\xb0\x80",
		`"a\ud83dz"`:                 "a\xed\xa0\xbdz",
		`"\ude00\ud83d"`:             "\xed\xb8\x80\xed\xa0\xbd",
		`"\ud83d\ud83d\ude00"`:       "\xed\xa0\xbd😀",
		`"\ud83d\u0041"`:             "\xed\xa0\xbdA",
		`"\ud83d\\ude00"`:            "\xed\xa0\xbd\\ude00",
		`"\ud83d\n"`:                 "\xed\xa0\xbd\n",
		"\"\x7f\u0085\u2028\ufeff\"": "\x7f\u0085\u2028\ufeff",
	} {
		got, err := readString(t, text)
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
		again, err := AppendString(nil, got)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if back, err := readString(t, string(again)); err != nil || back != want {
			t.Errorf("%s: written as %s and read as %q, %v", text, again, back, err)
		}
	}
}

func TestLoneSurrogatesSurviveAsTheyWere(t *testing.T) {
	for _, text := range []string{`"\ud800"`, `"\udfff"`, `"x\udbffy"`, `"\udc00\ud800"`, `"\ud800\ud800"`, `"\ud800\ud83d\ude00"`} {
		s, err := readString(t, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if utf8.ValidString(s) {
			t.Errorf("%s: read as %q, which a pair could give too", text, s)
		}
		got, err := AppendString(nil, s)
		if want := strings.ReplaceAll(text, `\ud83d\ude00`, "😀"); err != nil || string(got) != want {
			t.Errorf("%s: written as %s, %v", text, got, err)
		}
	}
	// Every one of them, alone.
	for r := 0xd800; r < 0xe000; r++ {
		text := fmt.Sprintf(`"\u%04x"`, r)
		s, err := readString(t, text)
		if got, err2 := AppendString(nil, s); err != nil || err2 != nil || string(got) != text {
			t.Fatalf("%s: written as %s, %v, %v", text, got, err, err2)
		}
	}
}

func TestBrokenStringsAreRejectedWithTheirOffset(t *testing.T) {
	for _, row := range []struct {
		text   string
		kind   ErrorKind
		offset int
	}{
		{`"`, Syntax, 1},
		{`"abc`, Syntax, 4},
		{`"abc\`, Syntax, 4},
		{`"abc\"`, Syntax, 6},
		{`"\x"`, Syntax, 1},
		{`"ab\u12"`, Syntax, 3},
		{`"ab\u123"`, Syntax, 3},
		{`"ab\u123g"`, Syntax, 3},
		{`"ab\U0041"`, Syntax, 3},
		{`"ab\'"`, Syntax, 3},
		{"\"a\x00b\"", Syntax, 2},
		{"\"a\x1f\"", Syntax, 2},
		{"\"a\nb\"", Syntax, 2},
		{"\"a\xff\"", BadUTF8, 2},
		{"\"ab\x80\"", BadUTF8, 3},
		{"\"\xc3\"", BadUTF8, 1},
		{"\"\xc0\xaf\"", BadUTF8, 1},
		{"\"\xe2\x80\"", BadUTF8, 1},
		{"\"é\xed\xa0\x80\"", BadUTF8, 3},
		{"\"\xf4\x90\x80\x80\"", BadUTF8, 1},
		{"\"\xf0\x9f\x98", BadUTF8, 1},
		{"1", WrongKind, 0},
		{" null", WrongKind, 1},
		{"", Syntax, 0},
		{"x", Syntax, 0},
	} {
		got, err := readString(t, row.text)
		if err == nil {
			t.Errorf("%q is taken as %q", row.text, got)
			continue
		}
		wantError(t, err, row.kind, "", row.offset)
	}
}

// TestStringScansEveryPosition puts what ends the scan of eight bytes at every
// position of strings of every short length, with and without text behind them.
func TestStringScansEveryPosition(t *testing.T) {
	specials := []struct {
		text, want string // want is empty where the text is broken
		kind       ErrorKind
	}{
		{`\"`, `"`, 0}, {`\\`, `\`, 0}, {`\n`, "\n", 0}, {`\u0041`, "A", 0}, {`\ud83d\ude00`, "😀", 0}, {`\udead`, "\xed\xba\xad", 0},
		{"é", "é", 0}, {"\u2028", "\u2028", 0}, {"😀", "😀", 0}, {"\x7f", "\x7f", 0}, {"!", "!", 0}, {"#", "#", 0}, {"[", "[", 0}, {"]", "]", 0}, {" ", " ", 0},
		{"\x00", "", Syntax}, {"\x1f", "", Syntax}, {`\q`, "", Syntax}, {"\x80", "", BadUTF8}, {"\xff", "", BadUTF8}, {"\xed\xa0\x80", "", BadUTF8},
	}
	for n := range 41 {
		for at := range n + 1 {
			before, after := strings.Repeat("a", at), strings.Repeat("z", n-at)
			for _, sp := range specials {
				for _, behind := range []string{"", ",", `,"x":"\n é"}`} {
					for _, space := range []string{"", "  ", "     "} {
						d := decoderOf(space+`"`+before+sp.text+after+`"`+behind, nil)
						var got string
						ok := d.String(&got)
						if sp.kind != 0 {
							var e *Error
							if want := len(space) + 1 + at; ok || !errors.As(d.Err(), &e) || e.Kind != sp.kind || e.Offset != want {
								t.Fatalf("%q at %d of %d: %q, %v; want %v at byte %d", sp.text, at, n, got, d.Err(), sp.kind, want)
							}
							continue
						}
						if !ok || got != before+sp.want+after || d.Pos() != len(d.data)-len(behind) {
							t.Fatalf("%q at %d of %d, then %q: %q, %v", sp.text, at, n, behind, got, d.Err())
						}
					}
				}
			}
		}
	}
}

func TestStringIsThatOfEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := stringGen.Draw(t, "string")
		got, err := readString(t, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var want string
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		// encoding/json puts one U+FFFD where we keep a lone surrogate.
		if plain := strings.ToValidUTF8(replaceLone(got), "?"); plain != want {
			t.Fatalf("%s: %q, want %q", text, plain, want)
		}
	})
}

func replaceLone(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		if loneSurrogate(s) != 0 {
			b.WriteRune(utf8.RuneError)
			s = s[3:]
			continue
		}
		_, n := utf8.DecodeRuneInString(s)
		b.WriteString(s[:n])
		s = s[n:]
	}
	return b.String()
}

func TestRepeatedSharesTheStringOfTheLineBefore(t *testing.T) {
	var d Decoder
	read := func(text string, slot int) string {
		t.Helper()
		d.Reset([]byte(text), nil)
		var s string
		if !d.Repeated(&s, slot) || !d.Finish() {
			t.Fatalf("%s: %v", text, d.Err())
		}
		return s
	}
	line := `"0123456789-session"`
	first := read(line, 3)
	if n := testing.AllocsPerRun(100, func() { read(line, 3) }); n > 1 { // the line itself
		t.Errorf("%v allocations", n)
	}
	for _, row := range []struct {
		text, want string
		slot       int
	}{
		{line, "0123456789-session", 3},
		{`"\u0030123456789-session"`, "0123456789-session", 3},
		{`"other"`, "other", 3},
		{line, "0123456789-session", 3},
		{line, "0123456789-session", 4},
		{line, "0123456789-session", 11},
		{line, "0123456789-session", 1000},
		{`""`, "", 3},
		{`"\n"`, "\n", 3},
		{`"` + strings.Repeat("x", maxRepeated+1) + `"`, strings.Repeat("x", maxRepeated+1), 3},
		{`"\n"`, "\n", 3},
	} {
		if got := read(row.text, row.slot); got != row.want {
			t.Errorf("%s: %q", row.text, got)
		}
	}
	if first != "0123456789-session" {
		t.Errorf("the first string became %q", first)
	}
	d.Reset([]byte("1"), nil)
	var s string
	if d.Repeated(&s, 0) {
		t.Error("a number is taken")
	}
}

func TestOptionalStringsHaveVariablesOfTheirOwn(t *testing.T) {
	d := decoderOf(`["a","b","c","d","e","f",1]`, nil)
	var got []*string
	if !d.OpenArray() {
		t.Fatal(d.Err())
	}
	for i := range 6 {
		var p *string
		ok := d.More(i)
		if i%2 == 0 {
			ok = ok && d.OptionalString(&p)
		} else {
			ok = ok && d.OptionalRepeated(&p, 0)
		}
		if !ok || p == nil {
			t.Fatal(d.Err())
		}
		got = append(got, p)
	}
	for i, p := range got {
		if want := string(rune('a' + i)); *p != want {
			t.Errorf("%q, want %q", *p, want)
		}
		*p = "changed"
	}
	var p *string
	if !d.More(6) || d.OptionalString(&p) || p != nil {
		t.Errorf("a number is taken as %v", p)
	}
}
