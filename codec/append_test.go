package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
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
		if !errors.Is(err, &Error{Kind: Unencodable}) {
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
		s := rapid.OneOf(rapid.String(), rapid.Map(stringGen, func(text string) string {
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
			if !errors.Is(err, &Error{Kind: Unencodable}) {
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
		if !errors.Is(err, &Error{Kind: Unencodable}) {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
}

func TestAppendRawOfAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(jsonGen(4), brokenGen).Draw(t, "text")
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
			t.Fatal("no JSON")
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
	b, err := AppendSlice(nil, []string{"a", "b"}, WriteString)
	if err != nil || string(b) != `["a","b"]` {
		t.Errorf("%s, %v", b, err)
	}
	if b, err = AppendSlice[bool](nil, nil, WriteBool); err != nil || string(b) != "[]" {
		t.Errorf("%s, %v", b, err)
	}
	b, err = AppendMap(nil, map[string]float64{"b\n": 2.5, "a": 1, "": 0}, WriteFloat64)
	if err != nil || string(b) != `{"":0,"a":1,"b\n":2.5}` {
		t.Errorf("%s, %v", b, err)
	}
	if b, err = AppendMap[Raw](nil, nil, WriteRaw); err != nil || string(b) != "{}" {
		t.Errorf("%s, %v", b, err)
	}
	for want, n := range map[string]Nullable[int64]{"null": Null[int64](), "7": Some(int64(7))} {
		if b, err = AppendNullable(nil, n, WriteInt64); err != nil || string(b) != want {
			t.Errorf("%s, %v; want %s", b, err, want)
		}
	}
}

func TestErrorsOfContainersNameThePlace(t *testing.T) {
	lists := func(p *[]float64, dst []byte) ([]byte, error) { return AppendSlice(dst, *p, WriteFloat64) }
	var e *Error
	_, err := AppendMap(nil, map[string][]float64{"a": {1}, "b/c": {1, math.NaN()}}, lists)
	if !errors.As(err, &e) || e.Path != "/b~1c/1" || e.Kind != Unencodable || e.Offset != -1 {
		t.Errorf("%v", err)
	}
	if _, err = AppendMap(nil, map[string]bool{"\xff": true}, WriteBool); !errors.As(err, &e) || e.Path != "/\xff" {
		t.Errorf("%v", err)
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
		{`{"x":1}`, false, Missing},
		{`{"type":1}`, false, Missing},
		{`[]`, false, Missing},
		{`{"x":1}`, true, 0},
		{`7`, true, 0},
		{`{`, true, Unencodable},
		{`{"type":"new"`, false, Missing},
	} {
		got, err := AppendUnknown(nil, Raw(row.text), "type", row.malformed)
		if row.kind == 0 && (err != nil || string(got) != row.text) || row.kind != 0 && !errors.Is(err, &Error{Kind: row.kind}) {
			t.Errorf("%s: %s, %v", row.text, got, err)
		}
	}
	if got, err := AppendUnknown(nil, nil, "type", true); !errors.Is(err, &Error{Kind: Unencodable}) {
		t.Errorf("nil: %s, %v", got, err)
	}
}
