package run

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

var twoTags = TagSet{First: "type", Second: "subtype", Open: `{"type":"`, Then: `,"subtype":"`}

// readTags finds the tags as generated code does.
func readTags(d *Decoder) bool {
	if !d.Tag(&twoTags) {
		return false
	}
	d.Second()
	return d.OK()
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
		{"after scalars", `{"a":1,"b":-2.5e3,"c":true,"d":null,"e":"","type":"x","subtype":"y"}`, "x", "y"},
		{"after strings with backslashes", `{"a":"\\","b":"\\\"","c":"\\\\","type":"x","subtype":"y"}`, "x", "y"},
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
			if !d.Tag(&twoTags) || string(d.First()) != row.first || d.Decisive() != row.first {
				t.Fatalf("first %q, decisive %q, %v", d.First(), d.Decisive(), d.Err())
			}
			second := d.Second()
			if row.second == "-" {
				wantError(t, d.Err(), codec.Missing, "/subtype", strings.IndexByte(row.text, '{'))
				if second != nil {
					t.Errorf("second %q", second)
				}
				return
			}
			if second == nil || string(second) != row.second || d.Decisive() != row.second || d.Err() != nil {
				t.Errorf("second %q, decisive %q, %v; want %q", second, d.Decisive(), d.Err(), row.second)
			}
			if again := d.Second(); string(again) != row.second || string(d.First()) != row.first {
				t.Errorf("asked again: %q, %q", d.First(), again)
			}
			tags := &d.tags
			if d.Data[tags.firstAt] != '"' || d.Data[tags.secondAt] != '"' || d.Data[tags.at] != '{' {
				t.Errorf("offsets %d, %d, %d", tags.at, tags.firstAt, tags.secondAt)
			}
			for at, want := range map[int]string{tags.firstAt: "/type", tags.secondAt: "/subtype"} {
				if got := jsontext.PathAt(d.Data, at); got != want {
					t.Errorf("the tag is at %s, want %s", got, want)
				}
			}
			// The object can be kept whole afterwards.
			var v Raw
			if !d.Tagged(&v) || !d.Finish() || string(v) != strings.TrimSpace(row.text) || d.Depth != 0 {
				t.Errorf("kept as %s at depth %d, %v", v, d.Depth, d.Err())
			}
		})
	}
}

func TestTheSecondTagMayBeOfAnotherKindWhereNobodyAsks(t *testing.T) {
	for _, text := range []string{`{"type":"x","subtype":1}`, `{"subtype":[],"type":"x"}`, `{"a":1,"type":"x","subtype":null}`, `{"type":"x"}`} {
		d := decoderOf(text, nil)
		var v Raw
		if !d.Tag(&twoTags) || string(d.First()) != "x" || !d.Tagged(&v) || string(v) != text || !d.Finish() {
			t.Errorf("%s: %q, kept as %s, %v", text, d.First(), v, d.Err())
		}
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
		{` {"a":{"type":"x"}}`, "-", 0},
	} {
		d := decoderOf(row.text, nil)
		ok := d.Tag(&itemTags)
		if d.tags.inline != row.inline || d.tags.hasSecond {
			t.Errorf("%s: %+v", row.text, d.tags)
		}
		if row.tag == "-" {
			if ok {
				t.Errorf("%s: tag %q", row.text, d.First())
			}
			wantError(t, d.Err(), codec.Missing, "/type", strings.IndexByte(row.text, '{'))
		} else if !ok || string(d.First()) != row.tag {
			t.Errorf("%s: tag %q, %v", row.text, d.First(), d.Err())
		}
		if row.inline == 0 && (d.Pos != strings.IndexByte(row.text, '{') || d.Depth != 0) {
			t.Errorf("%s: position %d, depth %d", row.text, d.Pos, d.Depth)
		}
	}
}

func TestATagOfTheLineBeforeIsForgotten(t *testing.T) {
	var d Decoder
	for _, row := range []struct{ text, first, second string }{
		{`{"type":"x","subtype":"y"}`, "x", "y"},
		{`{"subtype":"w","type":"v"}`, "v", "w"},
		{`{"type":"x","subtype":"y"}`, "x", "y"},
	} {
		d.Reset([]byte(row.text), nil)
		if d.First() != nil {
			t.Errorf("%s: the tag is %q before it is read", row.text, d.First())
		}
		if !d.Tag(&twoTags) || d.Decisive() != row.first || string(d.Second()) != row.second {
			t.Errorf("%s: %q, %q, %v", row.text, d.First(), d.Second(), d.Err())
		}
	}
	d.Reset([]byte(`{"type":"x"}`), nil)
	if !d.Tag(&twoTags) || d.Second() != nil {
		t.Errorf("the tag of the line before is there: %q", d.Second())
	}
}

func TestTagsThatCannotBeReadAreErrors(t *testing.T) {
	for _, row := range []struct {
		name, text string
		kind       ErrorKind
		path       string
		offset     int
	}{
		{"not an object", `[]`, codec.WrongKind, "", 0},
		{"nothing", ``, codec.Syntax, "", 0},
		{"a number", `{"type":1}`, codec.WrongKind, "/type", 8},
		{"a null", `{"a":1,"type": null}`, codec.WrongKind, "/type", 15},
		{"the second is not a string", `{"type":"x","subtype":{}}`, codec.WrongKind, "/subtype", 22},
		{"broken tag", `{"type":"x`, codec.Syntax, "/type", 10},
		{"broken escape", `{"type":"\x"}`, codec.Syntax, "/type", 9},
		{"broken UTF-8", "{\"type\":\"a\xff\"}", codec.BadUTF8, "/type", 10},
		{"control character", "{\"type\":\"a\n\",\"subtype\":\"12345678\"}", codec.Syntax, "/type", 10},
		{"control character near the end", "{\"type\":\"a\n\"}", codec.Syntax, "/type", 10},
		{"no first", `{"a":1,"subtype":"y"}`, codec.Missing, "/type", 0},
		{"no second", ` {"type":"x","a":1}`, codec.Missing, "/subtype", 1},
		{"no second after a late first", `{"a":1,"type":"x"}`, codec.Missing, "/subtype", 0},
		{"no colon", `{"type" "x"}`, codec.Syntax, "/type", 8},
		{"no end", `{"a":1`, codec.Syntax, "", 6},
		{"no end of a string", `{"a":"b\"`, codec.Syntax, "/a", 9},
		{"no end of an array", `{"a":[1,"x"`, codec.Syntax, "/a", 11},
		{"the name is not a string", `{"a":1,type:"x"}`, codec.Syntax, "", 7},
		{"brace for a comma", `{"a":{}{"type":"x"}`, codec.Syntax, "", 7},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := decoderOf(row.text, nil)
			if readTags(d) {
				t.Fatalf("taken: %q, %q", d.First(), d.Second())
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
		ok := readTags(d)
		if ok {
			// Either way on: as an arm whose tags are read, or kept whole.
			var extra *Members
			o := ReadObject(d, &tagShape, &extra)
			for ok := o.Begin(true); o.Next(ok); {
				ok = d.Skip()
			}
			if o.End() {
				t.Errorf("%s is read as an arm", text)
			}
			if !malformed(ErrorKind(d.Fault.Kind)) {
				t.Errorf("%s: %v", text, d.Err())
			}
			d = decoderOf(text, nil)
			var v Raw
			ok = readTags(d) && d.Tagged(&v)
		}
		if ok || !malformed(ErrorKind(d.Fault.Kind)) {
			t.Errorf("%q is kept: %v", text, d.Err())
		}
	}
}

var tagShape = Shape{
	Keys: []string{`"type":`, `"subtype":`},
	Need: Bits{3},
	Tags: []int{0, 1},
}

func TestTagsAreFoundInGeneratedObjects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return `"k` + jsontest.String.Draw(t, "name")[1:] + ":" + jsontest.JSON(3).Draw(t, "value")
		}), 0, 6).Draw(t, "members")
		members = append(members, `"type" : "x"`, `"subtype":"y"`)
		members = rapid.Permutation(members).Draw(t, "order")
		text := "{" + strings.Join(members, ",") + "}"
		d := decoderOf(text, nil)
		if !readTags(d) || string(d.First()) != "x" || string(d.Second()) != "y" {
			t.Fatalf("%s: %q, %q, %v", text, d.First(), d.Second(), d.Err())
		}
		var v Raw
		if !d.Tagged(&v) || !d.Finish() || string(v) != text {
			t.Fatalf("%s: %v", text, d.Err())
		}
	})
	// Whatever the text is, nothing panics and nothing is read past the end.
	rapid.Check(t, func(t *rapid.T) {
		text := jsontest.Broken.Draw(t, "text")
		d := decoderOf(text, nil)
		if readTags(d) {
			var v Raw
			d.Tagged(&v)
		}
		_ = d.Err()
	})
}

func TestConstTakesItsValueAndALegacyOne(t *testing.T) {
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
	wantError(t, d.Err(), codec.WrongKind, "", 1)
	for _, text := range []string{`{"type":"old","sub":{"type":"old"}}`, `{"sub":{"type":"old"},"type":"old"}`} {
		d = decoderOf(text, nil)
		if !d.Tag(&itemTags) {
			t.Fatal(d.Err())
		}
		d.BeginLegacy()
		d.rewind()
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
			// The legacy value is for the outer object only.
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
	if d.Const("modern") || !errors.Is(d.Err(), codec.WrongKind) {
		t.Error(d.Err())
	}
}

func TestALegacyTagIsReportedAndEnds(t *testing.T) {
	for _, row := range []struct {
		text string
		want Deviation
	}{
		{`{"type":"old","id":"a"}`, Deviation{Kind: codec.LegacyShape, Path: "/type", Offset: 8, Detail: "old"}},
		{`{"id":"a","type":"old"}`, Deviation{Kind: codec.LegacyShape, Path: "/type", Offset: 17, Detail: "old"}},
		{` {"id":"a","type" : "\u006fld"}`, Deviation{Kind: codec.LegacyShape, Path: "/type", Offset: 20, Detail: "old"}},
	} {
		var seen []Deviation
		d := decoderOf(row.text, &Options{Report: func(v Deviation) { seen = append(seen, v) }})
		v := new(item)
		if !d.Tag(&itemTags) || !d.LegacyTag() {
			t.Errorf("%s: %v", row.text, d.Err())
			continue
		}
		before := d.BeginLegacy()
		if !v.read(d, true) {
			t.Errorf("%s: %v", row.text, d.Err())
		}
		d.EndLegacy(before)
		if !d.Finish() || v.ID != "a" || v.Extra != nil {
			t.Errorf("%s: %+v, %v", row.text, v, d.Err())
		}
		if diff := cmp.Diff([]Deviation{row.want}, seen); diff != "" {
			t.Errorf("%s:\n%s", row.text, diff)
		}
		d = decoderOf(row.text, &Options{Strict: true})
		if !d.Tag(&itemTags) || d.LegacyTag() {
			t.Errorf("%s: the strict mode takes it", row.text)
		}
		wantError(t, d.Err(), codec.NotAllowed, row.want.Path, row.want.Offset)
	}
	d := decoderOf(`[{"id":"a","type":"old"},{"id":"a","type":"old"}]`, nil)
	if !d.OpenArray() || !d.More(0) || !d.Tag(&itemTags) {
		t.Fatal(d.Err())
	}
	before := d.BeginLegacy()
	if !new(item).read(d, true) || !d.More(1) {
		t.Fatal(d.Err())
	}
	d.EndLegacy(before)
	if new(item).read(d, false) {
		t.Error("a legacy tag is taken after EndLegacy")
	}
	wantError(t, d.Err(), codec.WrongKind, "/1/type", 42)
}

func TestUnknownTagNamesTheTagThatDecides(t *testing.T) {
	for _, row := range []struct {
		text   string
		second bool // the second tag is asked for
		want   Deviation
	}{
		{`{"type":"x","subtype":"y"}`, false, Deviation{Kind: codec.UnknownTag, Path: "/type", Offset: 8, Detail: "x"}},
		{`{"type":"x","subtype":"y"}`, true, Deviation{Kind: codec.UnknownTag, Path: "/subtype", Offset: 22, Detail: "y"}},
		{`{"subtype":"y","type":"x"}`, false, Deviation{Kind: codec.UnknownTag, Path: "/type", Offset: 22, Detail: "x"}},
		{`{"subtype":"y","type":"x"}`, true, Deviation{Kind: codec.UnknownTag, Path: "/subtype", Offset: 11, Detail: "y"}},
		{`{"type":"x","a":1, "subtype": "\u0079"}`, true, Deviation{Kind: codec.UnknownTag, Path: "/subtype", Offset: 30, Detail: "y"}},
	} {
		var seen []Deviation
		for _, o := range []*Options{{Report: func(v Deviation) { seen = append(seen, v) }}, {Strict: true}} {
			d := decoderOf(row.text, o)
			if !d.Tag(&twoTags) {
				t.Fatal(d.Err())
			}
			if row.second && d.Second() == nil {
				t.Fatal(d.Err())
			}
			ok := d.UnknownTag()
			if o.Strict {
				if ok {
					t.Errorf("%s: the strict mode takes it", row.text)
				}
				wantError(t, d.Err(), codec.NotAllowed, row.want.Path, row.want.Offset)
				continue
			}
			var v Raw
			if !ok || !d.Tagged(&v) || !d.Finish() || string(v) != row.text {
				t.Errorf("%s: kept as %s, %v", row.text, v, d.Err())
			}
		}
		if diff := cmp.Diff([]Deviation{row.want}, seen); diff != "" {
			t.Errorf("%s:\n%s", row.text, diff)
		}
	}
}

func TestATagIsLateBehindAnotherMember(t *testing.T) {
	for text, want := range map[string]bool{
		`{"id":"a","type":"item"}`: true,
		`{"count":1}`:              true,
		`{"types":1,"type":"x"}`:   false, // no member of an item
		`{"type": "item"}`:         false,
		`{"type":null,"id":"a"}`:   false,
		`{"type":"item","id":"a"}`: false,
		`{"type":""}`:              false,
		`{ "id":"a"}`:              false, // nobody writes that: it is not worth the guess
		`{}`:                       false,
		`{"`:                       false,
		`[]`:                       false,
		`["a","b","c","d"]`:        false,
		``:                         false,
	} {
		d := decoderOf(text, nil)
		if got := d.TagIsLate(&itemTags, &itemShape); got != want || d.Pos != 0 || d.Err() != nil {
			t.Errorf("%s: %v, at %d, %v", text, got, d.Pos, d.Err())
		}
	}
	d := decoderOf(`[{"id":"a","type":"item"}]`, nil)
	if !d.OpenArray() || !d.More(0) || !d.TagIsLate(&itemTags, &itemShape) {
		t.Error("the tag of an element is not late")
	}
}

// TestALegacyObjectInsideAnotherDoesNotEndIt reads a legacy object whose tag comes last, after
// another legacy object that is kept as text.
func TestALegacyObjectInsideAnotherDoesNotEndIt(t *testing.T) {
	d := decoderOf(`{"sub":{"type":"older"},"type":"old"}`, nil)
	if !d.Tag(&itemTags) {
		t.Fatal(d.Err())
	}
	defer d.EndLegacy(d.BeginLegacy())
	if !d.Open() {
		t.Fatal(d.Err())
	}
	var sub Raw
	if key, ok := d.Key(); !ok || string(key) != "sub" || !d.Tag(&itemTags) {
		t.Fatal(d.Err())
	}
	before := d.BeginLegacy()
	if !d.Tagged(&sub) {
		t.Fatal(d.Err())
	}
	d.EndLegacy(before)
	if key, ok := d.Key(); !ok || string(key) != "type" || !d.Const("modern") {
		t.Errorf("after %s: %v", sub, d.Err())
	}
}
