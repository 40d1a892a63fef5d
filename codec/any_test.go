package codec_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
)

func TestAnyIsWhatEncodingJSONReads(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, ` false `, `0`, `-0`, `-1.5e3`, `1e308`, `12345678901234567890`, `""`, `"é\n\"\ud83d\ude00"`,
		`[]`, `[ ]`, `[1,[2,[]],{}]`, `{}`, `{ }`, `{"a":{"b":[null,true,"x"]},"c":1}`, `{"a":1,"a":{"b":2}}`,
		"{ \"a\\u0062\" :\t[ 1 , 2 ] , \"\" : {} }", `{"a":[{"b":{}},{"b":{}}]}`,
		strings.Repeat("[", 10000) + strings.Repeat("]", 10000),
	} {
		var want any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		got, err := codec.Raw(text).Any()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%.40s: %v, %v; want %v", text, got, err, want)
		}
	}
}

// TestAnyTakesWhatEncodingJSONTakes compares the two for texts near to JSON.
func TestAnyTakesWhatEncodingJSONTakes(t *testing.T) {
	piece := rapid.SampledFrom([]string{`{`, `}`, `[`, `]`, `,`, `:`, `"a"`, `"b":`, `"\u00e9"`, ` `, "\n", `1`, `-`, `.5`, `e9`, `01`, `true`, `null`, `"`, `\`})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "")
		var want any
		wantErr := json.Unmarshal([]byte(text), &want)
		got, err := codec.Raw(text).Any()
		if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %v, %v; want %v, %v", text, got, err, want, wantErr)
		}
		m, err := codec.Raw(text).Map()
		object, ok := want.(map[string]any)
		if wants := wantErr == nil && (ok || want == nil); (err == nil) != wants || !reflect.DeepEqual(m, object) {
			t.Fatalf("%s: %v, %v; want %v", text, m, err, object)
		}
	})
}

func TestAnyKeepsALoneSurrogate(t *testing.T) {
	got, err := codec.Raw(`{"\udc00":"a\ud800b"}`).Map()
	if diff := cmp.Diff(map[string]any{"\xed\xb0\x80": "a\xed\xa0\x80b"}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestAbsentIsNil(t *testing.T) {
	v, err := codec.Raw(nil).Any()
	if v != nil || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
	m, err := codec.Raw(nil).Map()
	if m != nil || err != nil {
		t.Errorf("got %v, %v", m, err)
	}
}

func TestAnErrorOfAnyNamesThePlace(t *testing.T) {
	deep := strings.Repeat("[", 10001) + strings.Repeat("]", 10001)
	for _, row := range []struct {
		name, text string
		kind       codec.ErrorKind
		path       string
	}{
		{"syntax", `{"a":[1,x]}`, codec.Syntax, "/a/1"},
		{"after the value", `{"a":1} 2`, codec.Syntax, ""},
		{"nothing", ``, codec.Syntax, ""},
		{"UTF-8", "{\"a\":\"\xff\"}", codec.BadUTF8, "/a"},
		{"number", `{"a":{"b":1e400}}`, codec.OutOfRange, "/a/b"},
		{"depth", deep, codec.TooDeep, strings.Repeat("/0", 10000)},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := codec.Raw(row.text).Any()
			var e *codec.Error
			if !errors.As(err, &e) || e.Kind != row.kind || e.Path != row.path {
				t.Errorf("got %v", err)
			}
		})
	}
	for _, text := range []string{`[]`, `"a"`, `1`, `true`} {
		if m, err := codec.Raw(text).Map(); !errors.Is(err, codec.WrongKind) || m != nil {
			t.Errorf("%s: %v, %v", text, m, err)
		}
	}
}

func TestNullableAsPointerAndWithADefault(t *testing.T) {
	if p := codec.Some("a").Ptr(); p == nil || *p != "a" {
		t.Errorf("got %v", p)
	}
	if got := codec.Some("a").Or("b"); got != "a" {
		t.Errorf("got %q", got)
	}
	for _, n := range []codec.Nullable[string]{codec.Null[string](), {}} {
		if n.Ptr() != nil || n.Or("b") != "b" {
			t.Errorf("%+v: %v, %q", n, n.Ptr(), n.Or("b"))
		}
	}
}

// input is the input of a tool as the model writes them.
var input = codec.Raw(`{"file_path":"/home/user/project/internal/server/handler.go","old_string":"func (s *Server) handle(w http.ResponseWriter, ` +
	`r *http.Request) {\n\tid := r.PathValue(\"id\")\n\tif id == \"\" {\n\t\thttp.NotFound(w, r)\n\t\treturn\n\t}\n","new_string":"func (s *Server) ` +
	`handle(w http.ResponseWriter, r *http.Request) {\n\tid := r.PathValue(\"id\")\n","replace_all":false,"limits":{"lines":[1,250],"ratio":0.75,"note":null}}`)

func BenchmarkRawMap(b *testing.B) {
	b.Run("Map", func(b *testing.B) {
		b.SetBytes(int64(len(input)))
		b.ReportAllocs()
		for range b.N {
			if _, err := input.Map(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(input)))
		b.ReportAllocs()
		for range b.N {
			var m map[string]any
			if err := json.Unmarshal(input, &m); err != nil {
				b.Fatal(err)
			}
		}
	})
}
