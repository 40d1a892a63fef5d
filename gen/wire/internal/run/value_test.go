package run

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

// checkValid holds Raw and Skip to encoding/json.
func checkValid(t rapid.TB, text string) {
	t.Helper()
	data := []byte(text)
	// Bytes that are not UTF-8 outside of strings are not JSON for anybody.
	want := json.Valid(data) && utf8.Valid(data)
	d := decoderOf(text, nil)
	if got := d.Skip() && d.Finish(); got != want {
		t.Fatalf("Skip of %q: %v (%v), want %v", text, got, d.Err(), want)
	}
	if err := d.Err(); (err == nil) != want {
		t.Fatalf("%q: error %v", text, err)
	}
	if json.Valid(data) && !want && !errors.Is(d.Err(), codec.BadUTF8) {
		t.Fatalf("%q: error %v, want one of UTF-8", text, d.Err())
	}
	for _, alias := range []bool{false, true} {
		d.Reset(data, &Options{Alias: alias})
		var v Raw
		if got := d.Raw(&v) && d.Finish(); got != want {
			t.Fatalf("Raw of %q: %v (%v), want %v", text, got, d.Err(), want)
		}
		if want && string(v) != strings.Trim(text, " \t\r\n") {
			t.Fatalf("Raw of %q is %q", text, v)
		}
	}
	if string(data) != text {
		t.Fatalf("%q was changed", text)
	}
}

func TestRawTakesExactlyWhatEncodingJSONTakes(t *testing.T) {
	for _, text := range []string{
		"", " ", "null", "nul", "nulll", "true", "tru", "false", "fals", "True", "NaN", "Infinity", "undefined",
		"0", "-0", "-", "+1", "01", "-01", "1.", ".5", "0.5", "1e", "1e+", "1e5", "1E-5", "1.5e+10", "0x10", "1_000", "--1", "1-", "00",
		`""`, `"`, `"a`, `"a"b`, `"\"`, `"\\"`, `"\x"`, `"\u12"`, `"\u12g4"`, `"\u12G4"`, `"\uABcd"`, `"\ud800"`, "\"\x1f\"", "\"\x7f\"", "'a'",
		"[]", "[ ]", "[1]", "[1,]", "[,1]", "[1 2]", "[1,,2]", "[", "]", "[1", "[1,", "[]]", "[}", "[1:2]", "[1{}]", "[{}{}]", "[[]", "[\"a\"\"b\"]",
		"{}", "{ }", `{"a":1}`, `{"a":1,}`, `{,"a":1}`, `{"a" 1}`, `{"a":}`, `{"a"}`, `{a:1}`, `{1:1}`, `{"a":1 "b":2}`, `{"a":1,,"b":2}`, `{"a":1}}`,
		`{"a":1{"b":2}`, `{"a":1 {"b":2}`, `{"a":{}{}`, `{"a":"b"{}`, `{"a":[]{"b":1}}`, `{{"a":1}}`, `{"a":1,{"b":2}}`, `{"a"::1}`, `{"a":1:2}`,
		`{"a":1;"b":2}`, "{", "}", `{"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,"b"`, `{]`, `{"a":1]`, `{null:1}`,
		`{"a":1,"a":2}`, `{"":{"":{"":[]}}}`, `[{},{}]`, `[[{}],{"a":[{}]}]`, "1 2", "{} {}", "\x00", "1\x00", "[\x00]", "{\x00}", "\ufeff{}", "\v1", "\u00a01",
		"/* */1", "1//", "\"\xff\"", "\"\xc2\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xc0\x80\"", "[\xff]", "{\"\xff\":1}",
	} {
		checkValid(t, text)
		checkValid(t, " "+text+"\n")
		checkValid(t, "["+text+"]")
		checkValid(t, `{"k":`+text+`,"l":0}`)
		checkValid(t, `[1,`+text+`, "twelve bytes"]`)
	}
}

func TestRawTakesExactlyWhatEncodingJSONTakesOfGeneratedText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := jsontest.JSON(4).Draw(t, "text")
		if !json.Valid([]byte(text)) {
			t.Fatalf("the generator is wrong: %q", text)
		}
		checkValid(t, text)
	})
	rapid.Check(t, func(t *rapid.T) { checkValid(t, jsontest.Broken.Draw(t, "text")) })
}

func TestEveryPrefixOfJSONIsRejected(t *testing.T) {
	const text = `{"a":[1,-2.5e+3,"x\u00e9\\é",true,false,null],"b":{"c":{}},"d":""}`
	checkValid(t, text)
	for i := range len(text) {
		checkValid(t, text[:i])
		d := decoderOf(text[:i], nil)
		if d.Skip() || d.Err() == nil {
			t.Errorf("%q is taken", text[:i])
		}
	}
}

func TestNestingIsLimited(t *testing.T) {
	for _, row := range []struct {
		name         string
		open, shut   string
		levels, each int // each: bytes for one level
	}{
		{"arrays", "[", "]", 1, 1},
		{"objects", `{"a":`, "}", 1, 5},
		{"mixed", `[{"a":`, "}]", 2, 6},
	} {
		for _, limit := range []int{0, 4, 100, 5000} {
			most := limit
			if limit == 0 {
				most = codec.DefaultMaxDepth
			}
			n := most / row.levels
			good := strings.Repeat(row.open, n) + "1" + strings.Repeat(row.shut, n)
			d := decoderOf(good, &Options{MaxDepth: limit})
			if !d.Skip() || !d.Finish() {
				t.Errorf("%s, limit %d: %v", row.name, limit, d.Err())
			}
			d = decoderOf("["+good+"]", &Options{MaxDepth: limit})
			if d.Skip() || !errors.Is(d.Err(), codec.TooDeep) {
				t.Errorf("%s, past limit %d: %v", row.name, limit, d.Err())
			}
		}
	}
	// A line of brackets is refused where the limit is passed, not at its end.
	d := decoderOf(strings.Repeat("[", 10<<20), nil)
	var v Raw
	if d.Raw(&v) {
		t.Fatal("a line of brackets is taken")
	}
	wantError(t, d.Err(), codec.TooDeep, strings.Repeat("/0", codec.DefaultMaxDepth), codec.DefaultMaxDepth)
}

func TestInt64TakesWhatIsAnInteger(t *testing.T) {
	for _, row := range []struct {
		text string
		want int64
		kind ErrorKind
	}{
		{"0", 0, 0},
		{"-0", 0, 0},
		{"0.0", 0, 0},
		{"-0.0e5", 0, 0},
		{"0e999999999999999999999", 0, 0},
		{"0e-999999999999999999999", 0, 0},
		{"1", 1, 0},
		{"-1", -1, 0},
		{"1.0", 1, 0},
		{"1e3", 1000, 0},
		{"1E+3", 1000, 0},
		{"1000e-3", 1, 0},
		{"1.50e1", 15, 0},
		{"0.001e3", 1, 0},
		{"-12.5e1", -125, 0},
		{"100", 100, 0},
		{"123456789012345678", 123456789012345678, 0},
		{"1234567890123456789", 1234567890123456789, 0},
		{"9223372036854775807", math.MaxInt64, 0},
		{"-9223372036854775808", math.MinInt64, 0},
		{"9223372036854775807.0", math.MaxInt64, 0},
		{"922337203685477580.7e1", math.MaxInt64, 0},
		{"-9.223372036854775808e18", math.MinInt64, 0},
		{"9223372036854775808", 0, codec.OutOfRange},
		{"-9223372036854775809", 0, codec.OutOfRange},
		{"9.223372036854775808e18", 0, codec.OutOfRange},
		{"1e19", 0, codec.OutOfRange},
		{"1e400", 0, codec.OutOfRange},
		{"1e999999999999999999999", 0, codec.OutOfRange},
		{"-99999999999999999999", 0, codec.OutOfRange},
		{"0.5", 0, codec.WrongKind},
		{"1.5", 0, codec.WrongKind},
		{"1e-1", 0, codec.WrongKind},
		{"1e-999999999999999999999", 0, codec.WrongKind},
		{"123456789.123e2", 0, codec.WrongKind},
		{`"1"`, 0, codec.WrongKind},
		{"true", 0, codec.WrongKind},
		{"null", 0, codec.WrongKind},
		{"{}", 0, codec.WrongKind},
		{"01", 0, codec.Syntax},
		{"-", 0, codec.Syntax},
		{"1.", 0, codec.Syntax},
		{"", 0, codec.Syntax},
		{"x", 0, codec.Syntax},
	} {
		for _, around := range [][2]string{{"", ""}, {" ", " "}, {"[", "]"}, {`{"a":`, "}"}, {`{"a": `, `,"b":1}`}} {
			d := decoderOf(around[0]+row.text+around[1], nil)
			switch around[0] {
			case "[":
				d.OpenArray()
			case " ", "":
			default:
				d.Open()
				d.Key()
			}
			got := int64(-77)
			ok := d.Int64(&got)
			switch {
			case row.kind == 0 && (!ok || got != row.want):
				t.Errorf("%s%s%s: %d, %v; want %d", around[0], row.text, around[1], got, d.Err(), row.want)
			case row.kind != 0 && (ok || !errors.Is(d.Err(), row.kind)):
				t.Errorf("%s%s%s: %d, %v; want %v", around[0], row.text, around[1], got, d.Err(), row.kind)
			}
			if end := len(around[0]) + len(row.text); row.kind == 0 && d.Pos != end {
				t.Errorf("%s%s%s: the position is %d, want %d", around[0], row.text, around[1], d.Pos, end)
			}
		}
	}
}

func TestInt64IsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := jsontest.Number.Draw(t, "number")
		want, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%q is not a number", text)
		}
		d := decoderOf(text+",", nil)
		var got int64
		switch taken := d.Int64(&got); {
		case !want.IsInt():
			if taken || !errors.Is(d.Err(), codec.WrongKind) {
				t.Fatalf("%s: %d, %v; want a fraction", text, got, d.Err())
			}
		case !want.Num().IsInt64():
			if taken || !errors.Is(d.Err(), codec.OutOfRange) {
				t.Fatalf("%s: %d, %v; want out of range", text, got, d.Err())
			}
		case !taken || got != want.Num().Int64():
			t.Fatalf("%s: %d, %v", text, got, d.Err())
		}
	})
}

func TestFloat64IsThatOfStrconv(t *testing.T) {
	check := func(t rapid.TB, text string) {
		t.Helper()
		want, err := strconv.ParseFloat(text, 64)
		for _, behind := range []string{"", ",", "}", " ", "]"} {
			d := decoderOf(text+behind, nil)
			var got float64
			ok := d.Float64(&got)
			switch {
			case err != nil && (ok || !errors.Is(d.Err(), codec.OutOfRange)):
				t.Fatalf("%s: %v, %v; want out of range", text, got, d.Err())
			case err == nil && (!ok || math.Float64bits(got) != math.Float64bits(want) || d.Pos != len(text)):
				t.Fatalf("%s: %v, %v; want %v", text, got, d.Err(), want)
			}
		}
	}
	for _, text := range []string{
		"0", "-0", "0.0", "-0.0", "1", "10", "0.1", "1e5", "123456789012345", "1234567890123456", "9007199254740993", "18446744073709551616",
		"1e308", "1.7976931348623157e308", "1.7976931348623159e308", "1e309", "-1e309", "5e-324", "1e-324", "1e-400", "2.2250738585072011e-308",
		"999999999999999", "999999999999999999999999999999", "0.30000000000000004",
	} {
		check(t, text)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, jsontest.Number.Draw(t, "number")) })
	for _, text := range []string{"", "-", "01", "1.", "1e", "+1", ".5", "NaN", "Infinity", `"1"`, "null", "[1]"} {
		d := decoderOf(text, nil)
		var got float64
		if d.Float64(&got) {
			t.Errorf("%q is taken as %v", text, got)
		}
	}
}

func TestBoolAndNullTakeTheirLiteralsOnly(t *testing.T) {
	for text, want := range map[string]bool{"true": true, " true": true, "false": false, "\t\nfalse": false} {
		d := decoderOf(text, nil)
		got := !want
		if !d.Bool(&got) || got != want || !d.Finish() {
			t.Errorf("%q: %v, %v", text, got, d.Err())
		}
	}
	for text, kind := range map[string]ErrorKind{"null": codec.WrongKind, "1": codec.WrongKind, `"true"`: codec.WrongKind, "tru": codec.Syntax, "fa": codec.Syntax, "": codec.Syntax, "x": codec.Syntax} {
		d := decoderOf(text, nil)
		var got bool
		if d.Bool(&got) || !errors.Is(d.Err(), kind) {
			t.Errorf("%q: %v, %v; want %v", text, got, d.Err(), kind)
		}
	}
	for text, want := range map[string]bool{"null": true, " null": true, "nul": false, "0": false, "": false, `"null"`: false} {
		d := decoderOf(text, nil)
		if got := d.Null(); got != want || d.Err() != nil {
			t.Errorf("%q: %v, %v", text, got, d.Err())
		}
	}
}

func TestKindTellsTheNextValue(t *testing.T) {
	for text, want := range map[string]jsontext.Kinds{
		`"a"`: KindString, "1": KindNumber, "-1": KindNumber, "true": KindBoolean, "false": KindBoolean, "null": KindNull,
		"{}": KindObject, "[]": KindArray, " \t\r\n1": KindNumber, "": 0, "x": 0, "}": 0, "\x00": 0,
	} {
		if got := decoderOf(text, nil).Kind(); got != want {
			t.Errorf("%q: %b, want %b", text, got, want)
		}
		var v Raw
		d := decoderOf(text, nil)
		if got := d.RawOf(&v, KindObject|KindString, "an object or a string"); got != (want&(KindObject|KindString) != 0) {
			t.Errorf("%q as an object or a string: %v, %v", text, got, d.Err())
		}
	}
	d := decoderOf("[1]", nil)
	if d.Mismatch("a string or null") {
		t.Fatal("Wrong succeeds")
	}
	if got, want := d.Err().Error(), "wrong kind (byte 0): want a string or null, got an array"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// readLists reads an object of arrays of integers, as generated code does.
func readLists(p *map[string][]int64, d *Decoder) bool {
	m := map[string][]int64{}
	ok := d.Map(func(name string) (int, bool) {
		s := []int64{}
		ok := d.Array(func(i int) bool {
			s = append(s, 0)
			return d.Int64(&s[i])
		})
		m[name] = s
		return len(m), ok
	})
	if ok {
		*p = m
	}
	return ok
}

func TestContainersOfPlainValues(t *testing.T) {
	for text, want := range map[string]map[string][]int64{
		` { "b" : [ 1 , 2 ] , "a" : [ ] } `: {"a": {}, "b": {1, 2}},
		`{}`:                                {},
		`{"":[0],"\u0061\n":[1]}`:           {"": {0}, "a\n": {1}},
	} {
		d := decoderOf(text, nil)
		var m map[string][]int64
		if !readLists(&m, d) || !d.Finish() || d.Depth != 0 {
			t.Errorf("%s: depth %d, %v", text, d.Depth, d.Err())
		}
		if diff := cmp.Diff(want, m); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
	}
	for _, row := range []struct {
		text   string
		kind   ErrorKind
		path   string
		offset int
	}{
		{`{"a":[1,"x"]}`, codec.WrongKind, "/a/1", 8},
		{`{"a":[1],"a":[2]}`, codec.Duplicate, "/a", 13},
		{`{"a":[1],"\u0061":[2]}`, codec.Duplicate, "/a", 18},
		{`{"a":[1],"b":[2], "a" : [1]}`, codec.Duplicate, "/a", 23},
		{`{"":[],"a":[],"":[]}`, codec.Duplicate, "/", 17},
		{`{"a":1}`, codec.WrongKind, "/a", 5},
		{`[]`, codec.WrongKind, "", 0},
		{`{"a":[1,]}`, codec.Syntax, "/a", 8},
		{`{"a":[1}`, codec.Syntax, "/a", 7},
		{`{"a":[`, codec.Syntax, "/a", 6},
		{`{"a":[1]`, codec.Syntax, "", 8},
		{`{"a":[1],}`, codec.Syntax, "", 9},
	} {
		d := decoderOf(row.text, nil)
		var m map[string][]int64
		if readLists(&m, d) || m != nil {
			t.Errorf("%s is taken", row.text)
			continue
		}
		wantError(t, d.Err(), row.kind, row.path, row.offset)
	}
}

func TestDuplicateMembersOfAMapAreBrokenText(t *testing.T) {
	d := decoderOf(`[{"a":[1],"a":[2]}]`, nil)
	if !d.OpenArray() || !d.More(0) {
		t.Fatal(d.Err())
	}
	mark := d.Mark()
	var m map[string][]int64
	if readLists(&m, d) {
		t.Fatal("a duplicate member is taken")
	}
	if v, ok := d.Salvage(mark); ok {
		t.Errorf("kept as %s", v)
	}
	if got, want := d.Err().Error(), "duplicate member at /0/a (byte 14): "+jsontext.DuplicateMember; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestADuplicateMemberOfAMapIsOneWhateverItsValue has duplicates whose values do not decode. Text
// with duplicate members is broken, so that it is not kept raw as a value of the wrong kind is.
func TestADuplicateMemberOfAMapIsOneWhateverItsValue(t *testing.T) {
	for text, at := range map[string]int{`{"a":[1],"a":"x"}`: 13, `{"a":[1],"b":[],"a":["x"]}`: 20} {
		d := decoderOf(text, nil)
		var m map[string][]int64
		if readLists(&m, d) {
			t.Fatalf("%s is taken", text)
		}
		wantError(t, d.Err(), codec.Duplicate, "/a", at)
	}
}

func TestStringsReadsALineOfStrings(t *testing.T) {
	var d Decoder
	for text, want := range map[string][]string{
		`[]`: {}, ` [ ] `: {}, `["a"]`: {"a"}, ` [ "a" , "\u0062" ] `: {"a", "b"}, `["a","a",""]`: {"a", "a", ""},
	} {
		var got []string
		d.Reset([]byte(text), nil)
		if !d.Strings(&got) || !d.Finish() || got == nil || d.Depth != 0 {
			t.Errorf("%s: %v", text, d.Err())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	for text, kind := range map[string]ErrorKind{`["a",1]`: codec.WrongKind, `["a"`: codec.Syntax, `["a",]`: codec.Syntax, `{}`: codec.WrongKind, `["a" "b"]`: codec.Syntax} {
		var got []string
		d.Reset([]byte(text), nil)
		if d.Strings(&got) || !errors.Is(d.Err(), kind) {
			t.Errorf("%s: %q, %v", text, got, d.Err())
		}
	}
	// Lists of one Decoder do not share memory.
	var first, second []string
	d.Reset([]byte(`["a","b"]`), nil)
	ok := d.Strings(&first)
	d.Reset([]byte(`["c","d"]`), nil)
	if !ok || !d.Strings(&second) || first[0] != "a" || second[0] != "c" {
		t.Errorf("%q %q", first, second)
	}
}

func TestOptionalAndNullableTellAbsentNullAndValueApart(t *testing.T) {
	var b *bool
	var n *int64
	var f *float64
	d := decoderOf("[false,-7,1.5]", nil)
	if !d.OpenArray() || !d.More(0) || !d.OptionalBool(&b) || !d.More(1) || !d.OptionalInt64(&n) || !d.More(2) || !d.OptionalFloat64(&f) ||
		*b || *n != -7 || *f != 1.5 {
		t.Errorf("%v %v %v, %v", b, n, f, d.Err())
	}
	b, n, f = nil, nil, nil
	for name, read := range map[string]func(d *Decoder) bool{
		"boolean": func(d *Decoder) bool { return d.OptionalBool(&b) },
		"integer": func(d *Decoder) bool { return d.OptionalInt64(&n) },
		"number":  func(d *Decoder) bool { return d.OptionalFloat64(&f) },
	} {
		for _, text := range []string{"null", `"1"`, "{}"} {
			d := decoderOf(text, nil)
			if read(d) || b != nil || n != nil || f != nil || !errors.Is(d.Err(), codec.WrongKind) {
				t.Errorf("%s is taken for a %s: %v", text, name, d.Err())
			}
		}
	}
	// A member that may be null is read as generated code does it.
	read := func(text string) (v codec.Nullable[string], ok bool) {
		d := decoderOf(text, nil)
		if ok = d.Null(); ok {
			v.Null = true
		} else {
			ok = d.String(&v.Value)
			v.Valid = ok
		}
		return v, ok && d.Finish()
	}
	if v, ok := read(" null"); !ok || v != codec.Null[string]() {
		t.Errorf("%+v", v)
	}
	if v, ok := read(` "x"`); !ok || v != codec.Some("x") {
		t.Errorf("%+v", v)
	}
	for _, text := range []string{"1", "nul", ""} {
		if v, ok := read(text); ok || !v.Absent() {
			t.Errorf("%q: %+v", text, v)
		}
	}
	var r Raw
	d = decoderOf("[{},[]]", nil)
	if !d.OpenArray() || !d.More(0) || !d.RawOf(&r, KindObject, "an object") || string(r) != "{}" ||
		!d.More(1) || d.RawOf(&r, KindObject, "an object") || !errors.Is(d.Err(), codec.WrongKind) {
		t.Errorf("%s %v", r, d.Err())
	}
}

func TestMembersInsideRawValuesMayRepeatExceptInTheStrictMode(t *testing.T) {
	for _, row := range []struct {
		text, path string
		offset     int
	}{
		{`{"a":1,"a":2}`, "/a", 11},
		{`[{"b":{"a":1,"\u0061":2}}]`, "/0/b/a", 22},
		{`{"a":[{},{"x":1, "x" : 2}]}`, "/a/1/x", 22},
	} {
		var v Raw
		d := decoderOf(row.text, nil)
		if !d.Raw(&v) || !d.Finish() || string(v) != row.text {
			t.Errorf("%s: %v", row.text, d.Err())
		}
		d = decoderOf(row.text, &Options{Strict: true})
		if d.Raw(&v) {
			t.Errorf("%s is taken by the strict mode", row.text)
			continue
		}
		wantError(t, d.Err(), codec.Duplicate, row.path, row.offset)
	}
	nested := strings.Repeat(`{"a":[`, codec.DefaultMaxDepth/2) + strings.Repeat(`]}`, codec.DefaultMaxDepth/2)
	for _, text := range []string{`{"a":{"a":{"a":[]}},"b":{"a":1}}`, `[{"a":1},{"a":1}]`, nested, ` {"a" : "a" } `} {
		var v Raw
		d := decoderOf(text, &Options{Strict: true})
		if !d.Raw(&v) || !d.Finish() || string(v) != strings.TrimSpace(text) || d.Depth != 0 {
			t.Errorf("%.40s: depth %d, %v", text, d.Depth, d.Err())
		}
	}
}
