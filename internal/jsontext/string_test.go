package jsontext

import (
	"encoding/json"
	"math/bits"
	"strings"
	"testing"
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

// TestUnescapeNeedsNoRoom gives Unescape memory of many lengths, with and without room for the
// eight bytes that it writes at a time.
func TestUnescapeNeedsNoRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := jsontest.String.Draw(t, "string")
		want, _ := Text([]byte(text))
		body := []byte(text[1 : len(text)-1])
		before := strings.Repeat("b", rapid.IntRange(0, 9).Draw(t, "before"))
		dst := append(make([]byte, 0, len(before)+rapid.IntRange(0, 40).Draw(t, "room")), before...)
		if got := string(Unescape(dst, body)); got != before+want {
			t.Fatalf("%s: %q, want %q", text, got, before+want)
		}
		if string(body) != text[1:len(text)-1] {
			t.Fatalf("%s became %s", text, body)
		}
	})
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
