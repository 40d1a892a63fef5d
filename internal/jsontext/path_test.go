package jsontext

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

func TestPathAtFindsTheInnermostValue(t *testing.T) {
	const text = `{"a":1, "b" : {"c":[true,{"d":"x,}"},[]],"~/":null}, "\u0065":[ 7 ]} `
	for _, row := range []struct {
		at   string // a piece of the text; its first byte is the offset
		want string
	}{
		{`{"a"`, ""},
		{`"a"`, "/a"},
		{`:1`, "/a"},
		{`1,`, "/a"},
		{`, "b"`, ""},
		{` "b"`, ""},
		{`"b"`, "/b"},
		{` : {`, "/b"},
		{` {"c`, "/b"},
		{`{"c`, "/b"},
		{`"c"`, "/b/c"},
		{`[true`, "/b/c"},
		{`true`, "/b/c/0"},
		{`,{"d"`, "/b/c"},
		{`{"d"`, "/b/c/1"},
		{`"d"`, "/b/c/1/d"},
		{`x,}`, "/b/c/1/d"},
		{`,}"`, "/b/c/1/d"},
		{`},[]`, "/b/c/1"},
		{`,[]`, "/b/c"},
		{`[]]`, "/b/c/2"},
		{`]],`, "/b/c/2"},
		{`],"~`, "/b/c"},
		{`,"~`, "/b"},
		{`"~/`, "/b/~0~1"},
		{`null`, "/b/~0~1"},
		{`}, "\u`, "/b"},
		{`"\u0065`, "/e"},
		{` 7`, "/e"},
		{`7`, "/e/0"},
		{` ]`, "/e"},
		{`]} `, "/e"},
		{`} `, ""},
	} {
		offset := strings.LastIndex(text, row.at)
		if offset < 0 {
			t.Fatalf("no %q in the text", row.at)
		}
		if got := PathAt([]byte(text), offset); got != row.want {
			t.Errorf("at %q: %q, want %q", row.at, got, row.want)
		}
	}
	for _, offset := range []int{-1, len(text), len(text) + 100} {
		if got := PathAt([]byte(text), offset); got != "" {
			t.Errorf("at %d: %q", offset, got)
		}
	}
}

func TestPathAtOfBrokenTextIsTheBestPrefix(t *testing.T) {
	for _, row := range []struct {
		text   string
		offset int
		want   string
	}{
		{``, 0, ""},
		{`x`, 0, ""},
		{`{`, 1, ""},
		{`{"a`, 3, "/a"},
		{`{"a":`, 5, "/a"},
		{`{"a":  `, 7, "/a"},
		{`{"a":{"b":[1,2`, 14, "/a/b"},
		{`{"a":{"b":[1,2`, 13, "/a/b/1"},
		{`{"a":{"b":[1,`, 13, "/a/b"},
		{`{"a":{"b":"xy`, 13, "/a/b"},
		{`{"a":tru}`, 5, "/a"},
		{`{"a":}`, 5, "/a"},
		{`{"a" 1}`, 5, "/a"},
		{`{"a":[1 2],"b":3}`, 15, "/a"},
		{`{"a":[},"b":3}`, 12, "/a"},
		{`{"a":{]},"b":3}`, 13, "/a"},
		{`{"a":1 "b":2}`, 11, ""},
		{`{"a":1}}{"b":2}`, 13, ""},
		{`1 {"b":2}`, 7, ""},
		{`{"a":1,,"b":2}`, 12, ""},
		{"{\"\xff\":1}", 5, "/\ufffd"},
		{`{"a\x":1}`, 7, `/a\x`},
		{`]`, 0, ""},
		{`,`, 1, ""},
		{`:1`, 1, ""},
	} {
		if got := PathAt([]byte(row.text), row.offset); got != row.want {
			t.Errorf("%q at %d: %q, want %q", row.text, row.offset, got, row.want)
		}
	}
}

// An extent is what belongs to a value, with its name.
type extent struct {
	from, to int
	path     string
}

// extents returns those of a valid text, outer ones first.
func extents(text string) []extent {
	var all []extent
	i := 0
	space := func() {
		for i < len(text) && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
			i++
		}
	}
	scanString := func() string {
		from := i
		for i++; text[i] != '"'; i++ {
			if text[i] == '\\' {
				i++
			}
		}
		i++
		s, _ := Text([]byte(text[from:i]))
		return s
	}
	var value func(from int, path string)
	value = func(from int, path string) {
		n := len(all)
		all = append(all, extent{from, 0, path})
		switch open := text[i]; open {
		case '"':
			scanString()
		case '{', '[':
			i++
			for k := 0; ; k++ {
				space()
				if text[i] == ',' {
					i++
					space()
				}
				if text[i] == '}' || text[i] == ']' {
					i++
					break
				}
				start, step := i, strconv.Itoa(k)
				if open == '{' {
					step = strings.NewReplacer("~", "~0", "/", "~1").Replace(scanString())
					space()
					i++ // the colon
					space()
				}
				value(start, path+"/"+step)
			}
		default:
			for i < len(text) && strings.IndexByte(",]} \t\r\n", text[i]) < 0 {
				i++
			}
		}
		all[n].to = i
	}
	space()
	value(i, "")
	return all
}

func TestPathAtAgreesWithThePlainDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := jsontest.JSON(4).Draw(t, "text")
		if !json.Valid([]byte(text)) {
			t.Fatalf("the generator is wrong: %q", text)
		}
		all := extents(text)
		again := Paths{Line: []byte(text)}
		check := func(offset int) {
			want := ""
			for _, e := range all {
				if e.from <= offset && offset < e.to {
					want = e.path
				}
			}
			if got := PathAt([]byte(text), offset); got != want {
				t.Fatalf("%q at %d: %q, want %q", text, offset, got, want)
			}
			if got := again.At(offset); got != want {
				t.Fatalf("%q at %d, after other offsets: %q, want %q", text, offset, got, want)
			}
		}
		for offset := range len(text) + 1 {
			check(offset)
		}
		for _, offset := range rapid.SliceOfN(rapid.IntRange(0, len(text)), 0, 20).Draw(t, "offsets") {
			check(offset)
		}
	})
}

func TestPathAtSurvivesAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := jsontest.Broken.Draw(t, "text")
		again := Paths{Line: []byte(text)}
		for _, offset := range rapid.SliceOfN(rapid.IntRange(-2, len(text)+2), 1, 20).Draw(t, "offsets") {
			if one, other := PathAt([]byte(text), offset), again.At(offset); one != other {
				t.Fatalf("%q at %d: %q, and %q after other offsets", text, offset, one, other)
			}
		}
	})
}

func TestPathAtTakesLinearTimeForDeepText(t *testing.T) {
	const deep = 1 << 20
	line := []byte(strings.Repeat("[", deep))
	start := time.Now()
	if got := PathAt(line, deep); got != strings.Repeat("/0", deep-1) {
		t.Errorf("a path of %d bytes", len(got))
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %v", took)
	}
}
