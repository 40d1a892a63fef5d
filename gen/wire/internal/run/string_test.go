package run

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
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
		{`"`, codec.Syntax, 1},
		{`"abc`, codec.Syntax, 4},
		{`"abc\`, codec.Syntax, 4},
		{`"abc\"`, codec.Syntax, 6},
		{`"\x"`, codec.Syntax, 1},
		{`"ab\u12"`, codec.Syntax, 3},
		{`"ab\u123"`, codec.Syntax, 3},
		{`"ab\u123g"`, codec.Syntax, 3},
		{`"ab\U0041"`, codec.Syntax, 3},
		{`"ab\'"`, codec.Syntax, 3},
		{"\"a\x00b\"", codec.Syntax, 2},
		{"\"a\x1f\"", codec.Syntax, 2},
		{"\"a\nb\"", codec.Syntax, 2},
		{"\"a\xff\"", codec.BadUTF8, 2},
		{"\"ab\x80\"", codec.BadUTF8, 3},
		{"\"\xc3\"", codec.BadUTF8, 1},
		{"\"\xc0\xaf\"", codec.BadUTF8, 1},
		{"\"\xe2\x80\"", codec.BadUTF8, 1},
		{"\"é\xed\xa0\x80\"", codec.BadUTF8, 3},
		{"\"\xf4\x90\x80\x80\"", codec.BadUTF8, 1},
		{"\"\xf0\x9f\x98", codec.BadUTF8, 1},
		{"1", codec.WrongKind, 0},
		{" null", codec.WrongKind, 1},
		{"", codec.Syntax, 0},
		{"x", codec.Syntax, 0},
	} {
		got, err := readString(t, row.text)
		if err == nil {
			t.Errorf("%q is taken as %q", row.text, got)
			continue
		}
		wantError(t, err, row.kind, "", row.offset)
	}
}

// TestStringScansEveryPosition puts what ends the scan of eight bytes at every position of strings
// of every short length, with and without text after them.
func TestStringScansEveryPosition(t *testing.T) {
	specials := []struct {
		text, want string // want is empty where the text is broken
		kind       ErrorKind
	}{
		{`\"`, `"`, 0}, {`\\`, `\`, 0}, {`\n`, "\n", 0}, {`\u0041`, "A", 0}, {`\ud83d\ude00`, "😀", 0}, {`\udead`, "\xed\xba\xad", 0},
		{"é", "é", 0}, {"\u2028", "\u2028", 0}, {"😀", "😀", 0}, {"\x7f", "\x7f", 0}, {"!", "!", 0}, {"#", "#", 0}, {"[", "[", 0}, {"]", "]", 0}, {" ", " ", 0},
		{"\x00", "", codec.Syntax}, {"\x1f", "", codec.Syntax}, {`\q`, "", codec.Syntax}, {"\x80", "", codec.BadUTF8}, {"\xff", "", codec.BadUTF8}, {"\xed\xa0\x80", "", codec.BadUTF8},
	}
	follows, leads := []string{"", `,"x":"\n é"}`, ","}, []string{"", "  ", "     "}
	if testing.Short() {
		follows, leads = follows[:2], leads[:1]
	}
	for n := range 41 {
		for at := range n + 1 {
			before, after := strings.Repeat("a", at), strings.Repeat("z", n-at)
			for _, sp := range specials {
				for _, behind := range follows {
					for _, space := range leads {
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
						if !ok || got != before+sp.want+after || d.Pos != len(d.Data)-len(behind) {
							t.Fatalf("%q at %d of %d, then %q: %q, %v", sp.text, at, n, behind, got, d.Err())
						}
					}
				}
			}
		}
	}
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
	if d = decoderOf("1", nil); d.OptionalRepeated(&p, 0) || p != nil {
		t.Errorf("a number is taken as %v", p)
	}
}

func TestEnumTakesKnownValues(t *testing.T) {
	enum := Enum{Values: []string{"allow", "deny", ""}}
	for _, closed := range []bool{false, true} {
		enum.Closed = closed
		for text, want := range map[string]string{`"allow"`: "allow", ` "deny"`: "deny", `"\u0061llow"`: "allow", `""`: ""} {
			for _, o := range []*Options{nil, {Strict: true}, {Alias: true}, {Report: func(v Deviation) { t.Errorf("reported: %v", v) }}} {
				d := decoderOf(text, o)
				got := "before"
				if !d.Enum(&got, &enum) || !d.Finish() || got != want {
					t.Errorf("%s: %q, %v", text, got, d.Err())
				}
			}
		}
	}
	if !enum.Known("deny") || !enum.Known("") || enum.Known("Deny") || (&Enum{}).Known("") {
		t.Error("the known values are others")
	}
	line := []byte(`"allow"`)
	var d Decoder
	var got string
	if n := testing.AllocsPerRun(100, func() { d.Reset(line, nil); d.Enum(&got, &enum) }); n != 0 {
		t.Errorf("%v allocations for a known value", n)
	}
	clear(line)
	if got != "allow" {
		t.Errorf("the value became %q", got)
	}
}

func TestEnumReportsValuesThatAreUnknown(t *testing.T) {
	enum := Enum{Values: []string{"allow", "deny"}}
	long := strings.Repeat("é", 100)
	for _, row := range []struct{ text, value, detail string }{
		{`"ask"`, "ask", "ask"},
		{`"Allow"`, "Allow", "Allow"},
		{`"a\u0073k"`, "ask", "ask"},
		{`""`, "", ""},
		{`"` + long + `"`, long, strings.Repeat("é", 32) + "…"},
		{`"x` + long + `"`, "x" + long, "x" + strings.Repeat("é", 31) + "…"},
	} {
		for _, alias := range []bool{false, true} {
			var seen []Deviation
			d := decoderOf(`[ `+row.text+` ]`, &Options{Alias: alias, Report: func(v Deviation) { seen = append(seen, v) }})
			var got string
			if !d.OpenArray() || !d.More(0) || !d.Enum(&got, &enum) || d.More(1) || !d.Finish() || got != row.value {
				t.Errorf("%s: %q, %v", row.text, got, d.Err())
			}
			want := []Deviation{{Kind: codec.UnknownValue, Path: "/0", Offset: 2, Detail: row.detail}}
			if diff := cmp.Diff(want, seen); diff != "" {
				t.Errorf("%s:\n%s", row.text, diff)
			}
		}
		d := decoderOf(` `+row.text, &Options{Strict: true})
		var got string
		if d.Enum(&got, &enum) {
			t.Errorf("%s is taken by the strict mode", row.text)
		}
		wantError(t, d.Err(), codec.NotAllowed, "", 1)
	}
	line := []byte(`"ask"`)
	var d Decoder
	var got string
	d.Reset(line, nil)
	ok := d.Enum(&got, &enum)
	clear(line)
	if !ok || got != "ask" {
		t.Errorf("the value became %q, %v", got, d.Err())
	}
}

func TestAClosedEnumTakesNoOtherValue(t *testing.T) {
	enum := Enum{Values: []string{"allow", "deny"}, Closed: true}
	for _, o := range []*Options{nil, {Strict: true}, {Alias: true}} {
		for text, kind := range map[string]ErrorKind{
			` "ask"`: codec.WrongKind, ` ""`: codec.WrongKind, ` "\u0061sk"`: codec.WrongKind, ` 1`: codec.WrongKind, ` null`: codec.WrongKind,
		} {
			d := decoderOf(text, o)
			var got string
			if d.Enum(&got, &enum) {
				t.Errorf("%s is taken as %q", text, got)
			}
			wantError(t, d.Err(), kind, "", 1)
		}
	}
	d := decoderOf(`"ask"`, nil)
	m := d.Mark()
	var got string
	if d.Enum(&got, &enum) {
		t.Fatal("an unknown value is taken")
	}
	if v, ok := d.Salvage(m); !ok || string(v) != `"ask"` {
		t.Errorf("kept as %s, %v", v, d.Err())
	}
}

func TestEnumWantsAString(t *testing.T) {
	for text, kind := range map[string]ErrorKind{"1": codec.WrongKind, "null": codec.WrongKind, `["a"]`: codec.WrongKind, "": codec.Syntax, `"a`: codec.Syntax, "\"\xff\"": codec.BadUTF8} {
		d := decoderOf(text, nil)
		var got string
		if d.Enum(&got, &Enum{}) || !errors.Is(d.Err(), kind) {
			t.Errorf("%q: %q, %v; want %v", text, got, d.Err(), kind)
		}
	}
}
