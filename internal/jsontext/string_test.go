package jsontext

import (
	"encoding/json"
	"math/bits"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

func TestTextTakesOneStringOnly(t *testing.T) {
	for _, row := range []struct {
		text, want string
		ok         bool
	}{
		{`""`, "", true},
		{`"null"`, "null", true},
		{" \t\"a\\u0062\"\r\n", "ab", true},
		{`"\ud800"`, "\xed\xa0\x80", true},
		{`"\ud83d\ude00"`, "😀", true},
		{"\"é\u2028\"", "é\u2028", true},
		{``, "", false},
		{` `, "", false},
		{`null`, "", false},
		{`1`, "", false},
		{`["a"]`, "", false},
		{`{"a":"b"}`, "", false},
		{`"a`, "", false},
		{`"\x"`, "", false},
		{"\"\xff\"", "", false},
		{"\"a\n\"", "", false},
		{`a`, "", false},
	} {
		if got, ok := Text([]byte(row.text)); got != row.want || ok != row.ok {
			t.Errorf("%q: %q, %v", row.text, got, ok)
		}
	}
	for _, text := range []string{`"a" "b"`, `"a",`, `"a"x`, "\"a\"\x00"} {
		if _, ok := Text([]byte(text)); ok {
			t.Errorf("%q is taken", text)
		}
	}
	if _, ok := Text(nil); ok {
		t.Error("nothing is taken")
	}
}

func TestTextDoesNotShareMemory(t *testing.T) {
	for _, body := range []string{"plain text", `with \n escapes`} {
		text := []byte(`"` + body + `"`)
		got, ok := Text(text)
		want := strings.Clone(got)
		clear(text)
		if !ok || got != want {
			t.Errorf("%q became %q", want, got)
		}
	}
}

func TestStringIsThatOfEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := jsontest.String.Draw(t, "string")
		got, ok := Text([]byte(text))
		if !ok {
			t.Fatalf("%s is not taken", text)
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

func TestScanStringFindsTheEnd(t *testing.T) {
	for _, row := range []struct {
		text  string // from the first character on
		end   int
		plain bool
		kind  Kind
	}{
		{`"`, 0, true, 0},
		{`abc"def"`, 3, true, 0},
		{`exactly sixteen!"`, 16, true, 0},
		{`a\"b"`, 4, false, 0},
		{`\\"`, 2, false, 0},
		{`\ud800"`, 6, false, 0},
		{`é漢😀"`, 9, true, 0},
		{``, 0, false, Syntax},
		{`abc`, 3, false, Syntax},
		{`ab\`, 2, false, Syntax},
		{`ab\u12`, 2, false, Syntax},
		{"ab\x1f\"", 2, false, Syntax},
		{"ab\xed\xa0\x80\"", 2, false, BadUTF8},
		{"longer than sixteen \xff\"", 20, false, BadUTF8},
	} {
		end, plain, kind := ScanString([]byte(`"`+row.text), 1)
		if end != row.end+1 || plain != row.plain || kind != row.kind {
			t.Errorf("%q: end %d, plain %v, kind %d", row.text, end-1, plain, kind)
		}
	}
}

// TestReadTextIsScanStringWithTheText reads strings and what a few changed bytes make of them, into
// memory of many lengths, and with the end of the data near and far.
func TestReadTextIsScanStringWithTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text []byte
		for range rapid.IntRange(1, 4).Draw(t, "strings") {
			s := jsontest.String.Draw(t, "string")
			text = append(text, s[1:len(s)-1]...)
		}
		text = append(text, '"')
		for range rapid.IntRange(0, 2).Draw(t, "changes") {
			at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
			text[at] = rapid.SampledFrom([]byte("\"\\\\u/nxd8\x00\x1f\x7f\x80\xc2\xed\xa0\xff")).Draw(t, "byte")
		}
		text = append(text, strings.Repeat("a", rapid.IntRange(0, 20).Draw(t, "behind"))...)
		before := strings.Repeat("b", rapid.IntRange(0, 9).Draw(t, "before"))
		dst := append(make([]byte, 0, len(before)+rapid.IntRange(0, 60).Draw(t, "room")), before...)
		copied := string(text)
		got, end, kind := ReadText(dst, text, 0)
		if string(text) != copied {
			t.Fatalf("%q became %q", copied, text)
		}
		wantEnd, _, wantKind := ScanString(text, 0)
		if end != wantEnd || kind != wantKind {
			t.Fatalf("%q: end %d, kind %d, want %d, %d", text, end, kind, wantEnd, wantKind)
		}
		if kind != 0 {
			return
		}
		if want := before + replaceEscapes(text[:end]); string(got) != want {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	})
}

// TestRunsOfEscapesMayBeAnywhere puts runs of backslashes, of escapes and of what is none at every
// place of a long string.
func TestRunsOfEscapesMayBeAnywhere(t *testing.T) {
	for _, run := range []string{`\`, `\\n`, `\"`, `\u00e9`, `\x`, "\\\x01", "\\é", "é", "\x01", "\xff", `\n\t\t`} {
		for before := range 70 {
			for times := range 40 {
				for _, end := range []string{`"`, ``, `n"`, `"` + strings.Repeat("z", 40)} {
					text := []byte(strings.Repeat("a", before) + strings.Repeat(run, times) + end)
					gotEnd, plain, kind := ScanString(text, 0)
					wantEnd, wantPlain, wantKind := scanPlainly(text)
					if gotEnd != wantEnd || kind != wantKind || kind == 0 && plain != wantPlain {
						t.Fatalf("%q: %d, %v, %d, want %d, %v, %d", text, gotEnd, plain, kind, wantEnd, wantPlain, wantKind)
					}
					if _, end, kind := ReadText(nil, text, 0); end != wantEnd || kind != wantKind {
						t.Fatalf("%q: ReadText ends at %d, %d, want %d, %d", text, end, kind, wantEnd, wantKind)
					}
				}
			}
		}
	}
}

// scanPlainly is ScanString, character by character.
func scanPlainly(text []byte) (end int, plain bool, kind Kind) {
	plain = true
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch c := text[i]; {
		case c == '"':
			return i, plain, 0
		case c < ' ':
			return i, false, Syntax
		case r == utf8.RuneError && n == 1:
			return i, false, BadUTF8
		case c == '\\':
			plain = false
			if n = 2; i+1 < len(text) && text[i+1] == 'u' {
				n = 6
			}
			if i+n > len(text) || n == 2 && simpleEscape[text[i+1]] == 0 || n == 6 && hex4(text[i+2:]) < 0 {
				return i, false, Syntax
			}
		}
		i += n
	}
	return len(text), false, Syntax
}

// replaceEscapes is the plainest way to read the text of a string without faults.
func replaceEscapes(body []byte) string {
	var out []byte
	for i := 0; i < len(body); {
		switch {
		case body[i] != '\\':
			out = append(out, body[i])
			i++
		case body[i+1] != 'u':
			out = append(out, simpleEscape[body[i+1]])
			i += 2
		default:
			r := hex4(body[i+2:])
			i += 6
			if i+6 <= len(body) && body[i] == '\\' && body[i+1] == 'u' {
				if pair := utf16.DecodeRune(r, hex4(body[i+2:])); pair != utf8.RuneError {
					r = pair
					i += 6
				}
			}
			out = appendWTF8(out, r)
		}
	}
	return string(out)
}

func TestAppendStringIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte("\"\\\n\xed\xa0\xb0\x80\xe2\xa8\xc2\x85"))), 0, 24).Draw(t, "bytes")
		s := string(b)
		text, ok := AppendString([]byte("before"), s)
		if !ok {
			if utf8.ValidString(s) {
				t.Fatalf("%q is not written", s)
			}
			return
		}
		if got, ok := Text(text[len("before"):]); !ok || got != s {
			t.Fatalf("%q is written as %s and read as %q, %v", s, text, got, ok)
		}
		for _, r := range string(text) {
			if r < ' ' || r == 0x85 || r == 0x2028 || r == 0x2029 {
				t.Fatalf("a line break or control character in %q", text)
			}
		}
	})
}

func TestSpecialMarksTheFirstByteToLookAt(t *testing.T) {
	for c := range 256 {
		for at := range 8 {
			data := []byte("aaaaaaaa")
			data[at] = byte(c)
			want := c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\'
			m := Special(Load8(data, 0))
			if (m != 0) != want || want && bits.TrailingZeros64(m)>>3 != at {
				t.Errorf("%#x at %d: %x", c, at, m)
			}
			if s := loadString8("x"+string(data), 1); s != Load8(data, 0) {
				t.Errorf("%q is loaded as %x", data, s)
			}
		}
	}
}

func TestSharedIsTheText(t *testing.T) {
	for _, s := range []string{"", "a", "some text"} {
		if got := Shared([]byte(s)); got != s {
			t.Errorf("%q, want %q", got, s)
		}
	}
	if Shared(nil) != "" {
		t.Error("nil is not empty")
	}
}
