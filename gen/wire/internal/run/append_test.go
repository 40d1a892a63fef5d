package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

// wantOneLine checks that a text is JSON that no reader of lines can cut.
func wantOneLine(t rapid.TB, text []byte) {
	t.Helper()
	if !json.Valid(text) || !utf8.Valid(text) {
		t.Fatalf("not JSON: %q", text)
	}
	for _, r := range string(text) {
		if r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029 {
			t.Fatalf("a line break in %q", text)
		}
	}
}

func TestAppendStringEscapesWhatMustBe(t *testing.T) {
	for s, want := range map[string]string{
		"":                            `""`,
		"abc":                         `"abc"`,
		"\"\\/":                       `"\"\\/"`,
		"\b\f\n\r\t":                  `"\b\f\n\r\t"`,
		"\x00\x01\x1f\x7f":            `"\u0000\u0001\u001f` + "\x7f\"",
		"<a href='x'>&amp;</a>":       `"<a href='x'>&amp;</a>"`,
		"a\u0085b\u2028c\u2029d":      `"a\u0085b\u2028c\u2029d"`,
		"é漢😀\ufffd\ufeff\u0084\u2027": "\"é漢😀\ufffd\ufeff\u0084\u2027\"",
		"x\xed\xa0\xbd y":             `"x\ud83d y"`,
		"\xed\xbf\xbf":                `"\udfff"`,
		"\xed\xb8\x80\xed\xa0\xbd":    `"\ude00\ud83d"`, // no pair: the low one comes first
	} {
		got, err := AppendString([]byte("before"), s)
		if err != nil || string(got) != "before"+want {
			t.Errorf("%q: %s, %v; want %s", s, got, err, want)
		}
		wantOneLine(t, got[len("before"):])
	}
}

func TestAppendStringRejectsWhatIsNotUTF8(t *testing.T) {
	for _, s := range []string{"\xff", "a\x80", "12345678\xc3", "\xed", "\xed\xa0", "\xed\xa0x", "\xc0\x80", "\xf4\x90\x80\x80", "\xe2\x80", "a\xed\xa0\xbd\xed\xb8\x80"} {
		got, err := AppendString(nil, s)
		if !errors.Is(err, codec.Unencodable) {
			t.Errorf("%q: %s, %v", s, got, err)
		}
	}
}

func TestAppendStringScansEveryPosition(t *testing.T) {
	for n := range 41 {
		for at := range n + 1 {
			before, after := strings.Repeat("a", at), strings.Repeat("z", n-at)
			for special, want := range map[string]string{
				`"`: `\"`, `\`: `\\`, "\n": `\n`, "\x00": `\u0000`, "é": "é", "\u2028": `\u2028`, "\u0085": `\u0085`, "😀": "😀",
				"\xed\xa0\x80": `\ud800`, "\x7f": "\x7f", " ": " ", "!": "!", "#": "#", "[": "[", "]": "]", "\xff": "",
			} {
				got, err := AppendString(nil, before+special+after)
				if want == "" {
					if err == nil {
						t.Fatalf("%q at %d of %d: %s", special, at, n, got)
					}
				} else if err != nil || string(got) != `"`+before+want+after+`"` {
					t.Fatalf("%q at %d of %d: %s, %v", special, at, n, got, err)
				}
			}
		}
	}
}

func TestStringsComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(jsontest.String, func(text string) string {
			s, _ := Raw(text).Text()
			return s
		})).Draw(t, "string")
		text, err := AppendString(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		wantOneLine(t, text)
		if got, err := readString(t, string(text)); err != nil || got != s {
			t.Fatalf("%q written as %s, read as %q, %v", s, text, got, err)
		}
	})
}

func TestAppendFloat64ReadsBackTheSame(t *testing.T) {
	check := func(t rapid.TB, f float64) {
		t.Helper()
		text, err := AppendFloat64(nil, f)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			if !errors.Is(err, codec.Unencodable) {
				t.Fatalf("%v: %s, %v", f, text, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		wantOneLine(t, text)
		var std, ours float64
		if err := json.Unmarshal(text, &std); err != nil {
			t.Fatal(err)
		}
		if d := decoderOf(string(text), nil); !d.Float64(&ours) || !d.Finish() {
			t.Fatal(d.Err())
		}
		if math.Float64bits(std) != math.Float64bits(f) || math.Float64bits(ours) != math.Float64bits(f) {
			t.Fatalf("%b written as %s, read as %b and %b", f, text, std, ours)
		}
		if want, _ := json.Marshal(f); len(text) > len(want)+1 { // e-07 for e-7
			t.Fatalf("%s is longer than %s", text, want)
		}
	}
	for _, f := range []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, 1e15, 1e15 - 1, -1e15, 1e15 + 2, 1e20, 1e21, 1e22, 1e-6, 1e-7, 123456.789,
		math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxInt64, math.MinInt64, 1 << 53, 1<<53 + 2,
		math.NaN(), math.Inf(1), math.Inf(-1),
	} {
		check(t, f)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, math.Float64frombits(rapid.Uint64().Draw(t, "bits"))) })
	rapid.Check(t, func(t *rapid.T) { check(t, float64(rapid.Int64().Draw(t, "integer"))) })
}

func TestAppendInt64AndBool(t *testing.T) {
	var b []byte
	for _, n := range []int64{0, -1, math.MaxInt64, math.MinInt64} {
		b, _ = AppendInt64(b, n)
		b = append(b, ' ')
	}
	b, _ = AppendBool(b, true)
	b, _ = AppendBool(append(b, ' '), false)
	if want := "0 -1 9223372036854775807 -9223372036854775808 true false"; string(b) != want {
		t.Errorf("got %s", b)
	}
}

func TestAppendRawChangesOnlyWhatWouldBreakTheLine(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1}`:                                `{"a":1}`,
		` { "a" : 1.50 ,	"b":1E2 } `:             ` { "a" : 1.50 ,	"b":1E2 } `,
		"{\n  \"a\": [\r\n1,\n2]\n}\n":           `{  "a": [1,2]}`,
		"\"\u2028é\u2029\u0085\"":                `"\u2028é\u2029\u0085"`,
		"\"\u2027\u202a\u0084\u0086\"":           "\"\u2027\u202a\u0084\u0086\"",
		"{\"\u2028\":\n\"\\u2028\\n\"}":          `{"\u2028":"\u2028\n"}`,
		`"\ud800\/\u0041"`:                       `"\ud800\/\u0041"`,
		"[\"<&>\",\"\x7f\"]":                     "[\"<&>\",\"\x7f\"]",
		`12345678901234567890.000`:               `12345678901234567890.000`,
		`{"a":1,"a":2}`:                          `{"a":1,"a":2}`,
		"[\n\"" + strings.Repeat("é", 9) + "\"]": `["` + strings.Repeat("é", 9) + `"]`,
	} {
		raw := Raw(text)
		got, err := AppendRaw([]byte("before"), raw)
		if err != nil || string(got) != "before"+want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
		if string(raw) != text {
			t.Errorf("%q became %q", text, raw)
		}
	}
	if got, err := AppendRaw(nil, nil); err != nil || string(got) != "null" {
		t.Errorf("nil: %s, %v", got, err)
	}
}

func TestAppendRawRejectsBrokenText(t *testing.T) {
	for _, text := range []string{"", " ", "{", "{}{}", "1 2", "nul", `{"a":1{"b":2}`, "\"\n\"", "\"\xff\"", "{}\x00", "[1,]", strings.Repeat("[", 2000)} {
		got, err := AppendRaw(nil, Raw(text))
		if !errors.Is(err, codec.Unencodable) {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
}

func TestAppendRawOfAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(jsontest.JSON(4), jsontest.Broken).Draw(t, "text")
		got, err := AppendRaw(nil, Raw(text))
		if valid := json.Valid([]byte(text)) && utf8.ValidString(text); (err == nil) != valid {
			t.Fatalf("%q: %v", text, err)
		}
		if err != nil {
			return
		}
		wantOneLine(t, got)
		var before, after bytes.Buffer
		if json.Compact(&before, []byte(text)) != nil || json.Compact(&after, got) != nil {
			t.Fatal("not JSON")
		}
		plain := strings.NewReplacer("\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`).Replace(before.String())
		if diff := cmp.Diff(plain, after.String()); diff != "" {
			t.Fatal(diff)
		}
		twice, err := AppendRaw(nil, Raw(got))
		if err != nil || string(twice) != string(got) {
			t.Fatalf("%s becomes %s, %v", got, twice, err)
		}
	})
}

func TestAppendContainers(t *testing.T) {
	b, err := AppendStrings(nil, []string{"a", "b\n"})
	if err != nil || string(b) != `["a","b\n"]` {
		t.Errorf("%s, %v", b, err)
	}
	if b, err = AppendStrings(nil, nil); err != nil || string(b) != "[]" {
		t.Errorf("%s, %v", b, err)
	}
	numbers := []float64{1, 2.5}
	b, err = AppendList([]byte("before"), len(numbers), func(dst []byte, i int) ([]byte, error) { return AppendFloat64(dst, numbers[i]) })
	if err != nil || string(b) != `before[1,2.5]` {
		t.Errorf("%s, %v", b, err)
	}
	if b, err = AppendList(nil, 0, nil); err != nil || string(b) != "[]" {
		t.Errorf("%s, %v", b, err)
	}
	m := map[string]float64{"b\n": 2.5, "a": 1, "": 0}
	b, err = AppendMap([]byte("before"), Names(m), func(dst []byte, name string) ([]byte, error) { return AppendFloat64(dst, m[name]) })
	if err != nil || string(b) != `before{"":0,"a":1,"b\n":2.5}` {
		t.Errorf("%s, %v", b, err)
	}
	if b, err = AppendMap(nil, nil, nil); err != nil || string(b) != "{}" {
		t.Errorf("%s, %v", b, err)
	}
}

func TestAppendMapKeepsTheOrderOfTheNames(t *testing.T) {
	bools := func(dst []byte, name string) ([]byte, error) { return AppendBool(dst, name == "a") }
	if b, err := AppendMap(nil, []string{"b", "a", "c"}, bools); err != nil || string(b) != `{"b":false,"a":true,"c":false}` {
		t.Errorf("%s, %v", b, err)
	}
}

func TestNamesAreSorted(t *testing.T) {
	got := Names(map[string]int{"b": 1, "a": 2, "": 3, "é": 4, "B": 5, "a/": 6})
	if diff := cmp.Diff([]string{"", "B", "a", "a/", "b", "é"}, got); diff != "" {
		t.Error(diff)
	}
	if got := Names[int](nil); len(got) != 0 {
		t.Errorf("%q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.MapOf(rapid.String(), rapid.Int()).Draw(t, "map")
		if got, want := Names(m), slices.Sorted(maps.Keys(m)); !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}

func TestErrorsOfContainersNameThePlace(t *testing.T) {
	m := map[string][]float64{"a": {1}, "b/c": {1, math.NaN()}}
	var e *Error
	_, err := AppendMap(nil, Names(m), func(dst []byte, name string) ([]byte, error) {
		return AppendList(dst, len(m[name]), func(dst []byte, i int) ([]byte, error) { return AppendFloat64(dst, m[name][i]) })
	})
	if !errors.As(err, &e) || e.Path != "/b~1c/1" || e.Kind != codec.Unencodable || e.Offset != -1 {
		t.Errorf("%v", err)
	}
	_, err = AppendMap(nil, []string{"\xff"}, func(dst []byte, name string) ([]byte, error) { return AppendBool(dst, true) })
	if !errors.As(err, &e) || e.Path != "/\xff" {
		t.Errorf("%v", err)
	}
	if _, err = AppendStrings(nil, []string{"a", "\xff"}); !errors.As(err, &e) || e.Path != "/1" || e.Kind != codec.Unencodable {
		t.Errorf("%v", err)
	}
}

func TestAppendValueRejectsNil(t *testing.T) {
	if b, err := AppendValue([]byte("before"), "Thing", &item{ID: "a"}); err != nil || string(b) != `before{"type":"item","id":"a"}` {
		t.Errorf("%s, %v", b, err)
	}
	_, err := AppendValue(nil, "Thing", nil)
	wantError(t, err, codec.Unencodable, "", -1)
	if got, want := err.Error(), "cannot be encoded: a Thing, not a nil pointer"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestErrorsOfEncodingSayWhatIsMissing(t *testing.T) {
	for _, row := range []struct {
		err  error
		want string
	}{
		{errAbsent("a/b"), "missing member at /a~1b: a value is required"},
		{ErrNil("Frame"), "cannot be encoded: a Frame, not a nil pointer"},
		{ErrChoice("Content"), "missing member: exactly one field of Content"},
	} {
		if got := row.err.Error(); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}

func TestErrorsAreComparedByKind(t *testing.T) {
	_, decoding := readOnce(`{"type":"item"}`, nil)
	for _, err := range []error{decoding, errAbsent("id"), ErrChoice("Content"), in(errAbsent("id"), "sub"), fmt.Errorf("line 3: %w", decoding)} {
		for kind := codec.Syntax; kind <= codec.Unencodable; kind++ {
			if errors.Is(err, kind) != (kind == codec.Missing) {
				t.Errorf("%v is of kind %v: %t", err, kind, errors.Is(err, kind))
			}
		}
		if errors.Is(err, io.EOF) {
			t.Errorf("%v is anything", err)
		}
	}
}

func TestInPutsNamesBeforeThePath(t *testing.T) {
	inner := &Error{Kind: codec.Unencodable, Path: "/c", Offset: -1, Want: "x"}
	var e *Error
	if err := in(in(inner, "a/b"), "0"); !errors.As(err, &e) || e.Path != "/0/a~1b/c" || e.Kind != codec.Unencodable {
		t.Errorf("%v", err)
	}
	if inner.Path != "/c" {
		t.Errorf("the inner error became %v", inner)
	}
	if err := in(errors.New("custom"), "a"); err.Error() != "cannot be encoded at /a: custom" {
		t.Errorf("%v", err)
	}
	if err := in(io.ErrClosedPipe, "a"); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v hides its cause", err)
	}
}

func TestAppendUnknownWantsATag(t *testing.T) {
	for _, row := range []struct {
		text      string
		malformed bool
		kind      ErrorKind
	}{
		{`{"type":"new","x":[1, 2]}`, false, 0},
		{`{"x":1,"type":"\u006eew"}`, false, 0},
		{`{"x":1}`, false, codec.Missing},
		{`{"type":1}`, false, codec.Missing},
		{`[]`, false, codec.Missing},
		{`{"x":1}`, true, 0},
		{`7`, true, 0},
		{`{`, true, codec.Unencodable},
		{`{"type":"new"`, false, codec.Missing},
	} {
		got, err := AppendUnknown(nil, Raw(row.text), "type", row.malformed)
		if row.kind == 0 && (err != nil || string(got) != row.text) || row.kind != 0 && !errors.Is(err, row.kind) {
			t.Errorf("%s: %s, %v", row.text, got, err)
		}
	}
	if got, err := AppendUnknown(nil, nil, "type", true); !errors.Is(err, codec.Unencodable) {
		t.Errorf("nil: %s, %v", got, err)
	}
}
