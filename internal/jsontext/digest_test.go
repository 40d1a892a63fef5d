package jsontext

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// digest returns the digest of a text that is written in pieces of n bytes.
func digest(text string, n int) string {
	var d Digest
	for len(text) > n {
		d.Write([]byte(text[:n]))
		text = text[n:]
	}
	d.Write([]byte(text))
	return string(d.JSON())
}

var digests = []struct{ name, text, want string }{
	{"strings", `{"type":"result","n":1,"uuid":"u"}`, `{"type":"result","uuid":"u"}`},
	{"space", " {\t\"type\" : \"result\" , \"uuid\":\"u\"} ", `{"type":"result","uuid":"u"}`},
	{"inside an object", `{"response":{"a":[{"b":"c"}],"request_id":"r"},"type":"t"}`, `{"response":{"request_id":"r"},"type":"t"}`},
	{"two objects", `{"a":{"x":"1"},"b":{"x":"2","y":"3"}}`, `{"a":{"x":"1"},"b":{"x":"2","y":"3"}}`},
	{"too deep", `{"a":{"b":{"c":"d"}},"e":[["f"],{"g":"h"}]}`, `{}`},
	{"type after a long value", `{"result":"` + strings.Repeat("x", 1000) + `","type":"result"}`, `{"type":"result"}`},
	{"type after lists and objects", `{"a":[1,"b",{"c":["d"]}],"e":{"f":{"type":"no"}},"type":"yes"}`, `{"type":"yes"}`},
	{"value of 128 bytes", `{"a":"` + strings.Repeat("x", 128) + `"}`, `{"a":"` + strings.Repeat("x", 128) + `"}`},
	{"value of 129 bytes", `{"a":"` + strings.Repeat("x", 129) + `"}`, `{}`},
	{"name of 129 bytes", `{"` + strings.Repeat("x", 129) + `":"a","b":"c"}`, `{"b":"c"}`},
	{"escapes", `{"a\u0062":"\"\\\n\ud83d\ude00","x\\":"\ud800"}`, `{"ab":"\"\\\n😀","x\\":"\ud800"}`},
	{"quotes and brackets in strings", `{"a":"}{\"]","b":"c"}`, `{"a":"}{\"]","b":"c"}`},
	{"cut off in a value", `{"type":"user","uuid":"u","message":{"role":"us`, `{"type":"user","uuid":"u"}`},
	{"cut off in a name", `{"type":"user","uu`, `{"type":"user"}`},
	{"cut off after a backslash", `{"type":"user","a":"\`, `{"type":"user"}`},
	{"not UTF-8", "{\"type\":\"user\",\"a\":\"\xff\",\"\xff\":\"b\",\"uuid\":\"u\"}", `{"type":"user","uuid":"u"}`},
	{"bad escape", `{"a":"\x","b":"\u12","type":"t"}`, `{"type":"t"}`},
	{"duplicate", `{"type":"a","type":"b","typ\u0065":"c"}`, `{"type":"a"}`},
	{"duplicate object", `{"r":{"a":"1","a":"2"},"r":{"b":"3"},"r":"4","s":"5","s":{"t":"6"}}`, `{"r":{"a":"1"},"s":"5"}`},
	{"missing comma and colon", `{"a" "b" "type":"t" "c":"d"}`, `{"type":"t"}`},
	{"something after it", `{"a":"b"}{"c":"d"}`, `{"a":"b"}`},
	{"byte-order mark", "\xef\xbb\xbf{\"a\":\"b\"}", `{"a":"b"}`},
	{"empty object", `{}`, `{}`},
	{"array", `[{"a":"b"}]`, ``},
	{"text", `hello {"a":"b"}`, ``},
	{"nothing", ``, ``},
}

func TestDigestKeepsShortStringsOfTwoLevels(t *testing.T) {
	for _, row := range digests {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, digest(row.text, len(row.text)+1)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDigestDoesNotDependOnThePieces(t *testing.T) {
	for _, row := range digests {
		for n := 1; n <= len(row.text) && n < 40; n++ {
			if got := digest(row.text, n); got != row.want {
				t.Errorf("%s, in pieces of %d: %s", row.name, n, got)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("{}[]\"\\,:ab u01\x00é"))).Draw(t, "text")
		text = `{"type":"x",` + text
		want := digest(text, len(text)+1)
		if got := digest(text, rapid.IntRange(1, 9).Draw(t, "size")); got != want {
			t.Fatalf("%q: %s, want %s", text, got, want)
		}
		if fault := Check([]byte(want), 2); fault != nil {
			t.Fatalf("%q: the digest %s is not JSON: %v", text, want, fault)
		}
	})
}

// TestDigestAgreesWithFind compares the two for any valid object with unique names.
func TestDigestAgreesWithFind(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) any {
		text := rapid.String().Draw(t, "text")
		return rapid.SampledFrom([]any{text, 1, nil, []any{text}, map[string]any{text: text, "n": []any{text}}}).Draw(t, "value")
	})
	rapid.Check(t, func(t *rapid.T) {
		object := rapid.MapOfN(rapid.String(), value, 0, 10).Draw(t, "object")
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		short := digest(string(text), 7)
		check := func(pointer string) {
			at, ok := Find(text, pointer)
			got, found := Find([]byte(short), pointer)
			want, isText := "", false
			if ok {
				want, isText = Text(text[at.Start:at.End])
			}
			if isText = isText && at.End-at.Start <= maxDigestText+2; isText != found {
				t.Fatalf("%s: in the text %v, in the digest %v: %s\n%s", pointer, isText, found, short, text)
			}
			if s, _ := Text([]byte(short)[got.Start:got.End]); found && s != want {
				t.Fatalf("%s: %q, want %q", pointer, s, want)
			}
		}
		for name, v := range object {
			if m, ok := v.(map[string]any); ok {
				for inner := range m {
					check("/" + EscapePointer(name) + "/" + EscapePointer(inner))
				}
				continue
			}
			check("/" + EscapePointer(name))
		}
	})
}

func TestDigestIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"type":"t"`)
	for i := range 10_000 {
		fmt.Fprintf(&b, `,"a%d":"%s","b%d":{"c":"%s"}`, i, manyX, i, manyX)
	}
	text := b.String() + "}"
	if got := digest(text, 1000); len(got) > 3*64*200 || !strings.HasPrefix(got, `{"type":"t",`) {
		t.Errorf("%d bytes: %.100s", len(got), got)
	}
}

const manyX = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

func TestDigestDoesNotAllocateForWhatItDrops(t *testing.T) {
	piece := []byte(`,"a":1,"b":"` + manyX + manyX + `","type":"again","c":[{"d":"e"}],"f":{"n":1}`)
	var d Digest
	d.Write([]byte(`{"type":"t"`))
	if n := testing.AllocsPerRun(1000, func() { d.Write(piece) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDigest(b *testing.B) {
	for _, row := range []struct{ name, piece string }{
		{"text", `,"text":"` + strings.Repeat(`a line of text that somebody wrote\n`, 30) + `"`},
		{"numbers", `,"list":[` + strings.Repeat(`1,2.5,-3,`, 100) + `4]`},
		{"objects", `,"list":[` + strings.Repeat(`{"name":"a","size":12,"ok":true},`, 30) + `{}]`},
		{"short members", `,"a":"b","c":1`},
	} {
		b.Run(row.name, func(b *testing.B) {
			var d Digest
			d.Write([]byte(`{"type":"t"`))
			text := []byte(strings.Repeat(row.piece, 64<<10/len(row.piece)))
			b.SetBytes(int64(len(text)))
			for range b.N {
				d.Write(text)
			}
		})
	}
}
