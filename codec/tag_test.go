package codec

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// readTags finds the tags as generated code does.
func readTags(d *Decoder) (Tags, bool) {
	var t Tags
	ok := d.Tag(&t, `{"type":"`, "type", "subtype") && d.Second(&t, `,"subtype":"`, "type", "subtype")
	return t, ok
}

func TestTagsAreFoundWhereverTheyStand(t *testing.T) {
	big := `{"type":"no","a":["}","{\"type\":\"no\"}","\\",{"subtype":"no"},[[]]],"b\\":"\"}"}`
	for _, row := range []struct {
		name, text string
		first      string
		second     string // "-" where there is none
	}{
		{"first", `{"type":"x","subtype":"y","a":1}`, "x", "y"},
		{"first with spaces", ` { "type" : "x" , "subtype" : "y" } `, "x", "y"},
		{"swapped", `{"subtype":"y","type":"x"}`, "x", "y"},
		{"last", `{"a":` + big + `,"b":[],"c":"}","type":"x","subtype":"y"}`, "x", "y"},
		{"apart", `{"type":"x","a":` + big + `,"subtype":"y"}`, "x", "y"},
		{"behind scalars", `{"a":1,"b":-2.5e3,"c":true,"d":null,"e":"","type":"x","subtype":"y"}`, "x", "y"},
		{"behind strings with backslashes", `{"a":"\\","b":"\\\"","c":"\\\\","type":"x","subtype":"y"}`, "x", "y"},
		{"no second", `{"type":"x","a":1}`, "x", "-"},
		{"no second, late first", `{"a":1,"type":"x"}`, "x", "-"},
		{"empty", `{"type":"","subtype":""}`, "", ""},
		{"escapes in the values", `{"type":"\u0078","subtype":"\ty"}`, "x", "\ty"},
		{"escapes in the names", `{"\u0074ype":"x","subt\u0079pe":"y"}`, "x", "y"},
		{"not ASCII", `{"type":"é","subtype":"ü"}`, "é", "ü"},
		{"long", `{"type":"` + strings.Repeat("t", 100) + `","subtype":"` + strings.Repeat("s", 700) + `"}`, strings.Repeat("t", 100), strings.Repeat("s", 700)},
		{"the first of two", `{"a":1,"type":"x","type":"z","subtype":"y"}`, "x", "y"},
		{"names as values", `{"a":"type","b":"subtype","type":"type","subtype":"type"}`, "type", "type"},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := decoderOf(row.text, nil)
			tags, ok := readTags(d)
			if !ok || !tags.HasFirst || string(tags.First) != row.first {
				t.Fatalf("first %q, %v", tags.First, d.Err())
			}
			if tags.HasSecond != (row.second != "-") || tags.HasSecond && string(tags.Second) != row.second {
				t.Errorf("second %q, %v; want %q", tags.Second, tags.HasSecond, row.second)
			}
			if d.data[tags.FirstAt] != '"' || tags.HasSecond && d.data[tags.SecondAt] != '"' || d.data[tags.At] != '{' {
				t.Errorf("offsets %d, %d, %d", tags.At, tags.FirstAt, tags.SecondAt)
			}
			if PathAt(d.data, tags.FirstAt) != "/type" {
				t.Errorf("the first is at %s", PathAt(d.data, tags.FirstAt))
			}
			// The object can be kept whole afterwards.
			d.Rewind(&tags)
			var v Raw
			if !d.Raw(&v) || !d.Finish() || string(v) != strings.TrimSpace(row.text) || d.depth != 0 {
				t.Errorf("kept as %s at depth %d, %v", v, d.depth, d.Err())
			}
		})
	}
}

func TestTagFindsOneTag(t *testing.T) {
	for _, row := range []struct {
		text, tag string
		inline    int
	}{
		{`{"type":"x","a":1}`, "x", 1},
		{`{"type":"x"}`, "x", 1},
		{`{"a":"type","type":"x"}`, "x", 0},
		{`{"a":1}`, "-", 0},
		{`{}`, "-", 0},
		{`{"a":{"type":"x"}}`, "-", 0},
	} {
		d := decoderOf(row.text, nil)
		var tags Tags
		if !d.Tag(&tags, `{"type":"`, "type", "") || tags.Inline != row.inline || tags.HasSecond {
			t.Errorf("%s: %+v, %v", row.text, tags, d.Err())
		}
		if tags.HasFirst != (row.tag != "-") || tags.HasFirst && string(tags.First) != row.tag {
			t.Errorf("%s: tag %q, %v", row.text, tags.First, tags.HasFirst)
		}
		if tags.Inline == 0 && (d.Pos() != 0 || d.depth != 0) {
			t.Errorf("%s: position %d, depth %d", row.text, d.Pos(), d.depth)
		}
	}
}

func TestTagsThatCannotBeReadAreErrors(t *testing.T) {
	for _, row := range []struct {
		name, text string
		kind       ErrorKind
		path       string
		offset     int
	}{
		{"no object", `[]`, WrongKind, "", 0},
		{"nothing", ``, Syntax, "", 0},
		{"a number", `{"type":1}`, WrongKind, "/type", 8},
		{"a null", `{"a":1,"type": null}`, WrongKind, "/type", 15},
		{"second is no string", `{"type":"x","subtype":{}}`, WrongKind, "/subtype", 22},
		{"broken tag", `{"type":"x`, Syntax, "/type", 10},
		{"broken escape", `{"type":"\x"}`, Syntax, "/type", 9},
		{"broken UTF-8", "{\"type\":\"a\xff\"}", BadUTF8, "/type", 10},
		{"control character", "{\"type\":\"a\n\",\"subtype\":\"12345678\"}", Syntax, "/type", 10},
		{"control character near the end", "{\"type\":\"a\n\"}", Syntax, "/type", 10},
		{"no colon", `{"type" "x"}`, Syntax, "/type", 8},
		{"no end", `{"a":1`, Syntax, "", 6},
		{"no end of a string", `{"a":"b\"`, Syntax, "/a", 9},
		{"no end of an array", `{"a":[1,"x"`, Syntax, "/a", 11},
		{"name is no string", `{"a":1,type:"x"}`, Syntax, "", 7},
		{"brace for a comma", `{"a":{}{"type":"x"}`, Syntax, "", 7},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := decoderOf(row.text, nil)
			if tags, ok := readTags(d); ok {
				t.Fatalf("taken: %+v", tags)
			}
			wantError(t, d.Err(), row.kind, row.path, row.offset)
		})
	}
}

func TestBrokenTextBeforeATagIsFoundWhenTheObjectIsRead(t *testing.T) {
	for _, text := range []string{
		`{"a":tru,"type":"x","subtype":"y"}`,
		`{"a":[},"type":"x","subtype":"y"}`,
		`{"a":,"type":"x","subtype":"y"}`,
		`{"a":"\x","type":"x","subtype":"y"}`,
		`{"a":01,"type":"x","subtype":"y"}`,
		"{\"a\":\"\xff\",\"type\":\"x\",\"subtype\":\"y\"}",
		`{"a":{"b" 1},"type":"x","subtype":"y"}`,
		`{"type":"x","subtype":"y"{"a":1}`,
		`{"type":"x"{"subtype":"y"}`,
		`{"type":"x","subtype":"y",}`,
		`{"type":"x","subtype":"y"`,
	} {
		d := decoderOf(text, nil)
		tags, ok := readTags(d)
		if ok {
			// Either way on: as an arm whose tags are read, or kept whole.
			var v struct{ Extra *Members }
			var o Object
			if o.Begin(d, &tagShape, tags.At, tags.Inline) {
				for i := o.Next(d, &v.Extra); i >= 0; i = o.Next(d, &v.Extra) {
					d.Skip()
				}
				if o.End(d) {
					t.Errorf("%s is read as an arm", text)
				}
			}
			if !d.kind.malformed() {
				t.Errorf("%s: %v", text, d.Err())
			}
			d = decoderOf(text, nil)
			tags, _ = readTags(d)
			d.Rewind(&tags)
			ok = d.Skip()
		}
		if ok || !d.kind.malformed() {
			t.Errorf("%q is kept: %v", text, d.Err())
		}
	}
}

var tagShape = Shape{
	Names: []string{"type", "subtype"},
	Keys:  []string{`"type":`, `"subtype":`},
	Need:  Bits{3},
	Tags:  []int{0, 1},
}

func TestTagsAreFoundInGeneratedObjects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return `"k` + stringGen.Draw(t, "name")[1:] + ":" + jsonGen(3).Draw(t, "value")
		}), 0, 6).Draw(t, "members")
		members = append(members, `"type" : "x"`, `"subtype":"y"`)
		members = rapid.Permutation(members).Draw(t, "order")
		text := "{" + strings.Join(members, ",") + "}"
		d := decoderOf(text, nil)
		tags, ok := readTags(d)
		if !ok || string(tags.First) != "x" || string(tags.Second) != "y" {
			t.Fatalf("%s: %+v, %v", text, tags, d.Err())
		}
		d.Rewind(&tags)
		if !d.Skip() || !d.Finish() {
			t.Fatalf("%s: %v", text, d.Err())
		}
	})
	// Whatever the text is, nothing panics and nothing is read past the end.
	rapid.Check(t, func(t *rapid.T) {
		text := brokenGen.Draw(t, "text")
		d := decoderOf(text, nil)
		if tags, ok := readTags(d); ok {
			d.Rewind(&tags)
			d.Skip()
		}
		_ = d.Err()
	})
}

func TestConstTakesItsValueAndItsAlias(t *testing.T) {
	d := decoderOf(`"modern"`, nil)
	if !d.Const("modern") {
		t.Error(d.Err())
	}
	d = decoderOf(` "\u006dodern"`, nil)
	if !d.Const("modern") {
		t.Error(d.Err())
	}
	d = decoderOf(` "old"`, nil)
	if d.Const("modern") {
		t.Error("another value is taken")
	}
	wantError(t, d.Err(), WrongKind, "", 1)
	for _, text := range []string{`{"type":"old","sub":{"type":"old"}}`, `{"sub":{"type":"old"},"type":"old"}`} {
		d = decoderOf(text, nil)
		var tags Tags
		if !d.Tag(&tags, `{"type":"`, "type", "") {
			t.Fatal(d.Err())
		}
		d.Alias(&tags, string(tags.First))
		d.Rewind(&tags)
		if !d.Open() {
			t.Fatal(d.Err())
		}
		for {
			key, ok := d.Key()
			if !ok {
				break
			}
			if string(key) == "type" {
				if !d.Const("modern") {
					t.Errorf("%s: %v", text, d.Err())
				}
				continue
			}
			// The alias is for the outer object only.
			m := d.Mark()
			if !d.Open() {
				t.Fatal(d.Err())
			}
			if _, ok := d.Key(); !ok || d.Const("modern") {
				t.Errorf("%s: the inner tag is taken, %v", text, d.Err())
			}
			if _, ok := d.Salvage(m); !ok {
				t.Fatal(d.Err())
			}
		}
		if d.Err() != nil {
			t.Error(d.Err())
		}
	}
	d = decoderOf(`""`, nil)
	if d.Const("modern") {
		t.Error("the empty string is taken")
	}
	d = decoderOf(`1`, nil)
	if d.Const("modern") || !errors.Is(d.Err(), &Error{Kind: WrongKind}) {
		t.Error(d.Err())
	}
}
