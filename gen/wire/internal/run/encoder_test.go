package run

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext/jsontest"
)

func TestEncoderAppendsMembersOneAfterTheOther(t *testing.T) {
	ints := []int64{1, 2}
	bools := map[string]bool{"k": false, "j": true}
	e := Encode([]byte("before"), &Members{{Name: "x\u2028", Value: Raw("{ }")}})
	e.Const(`,"type":"x","version":1`)
	e.String(`,"s":`, "x\n")
	e.Int64(`,"i":`, -1)
	e.Float64(`,"f":`, 0.5)
	e.Bool(`,"b":`, true)
	e.Raw(`,"r":`, Raw("[1,\n2]"))
	e.Value(`,"v":`, &item{ID: "a"})
	e.Null(`,"n":`)
	e.Strings(`,"none":`, nil)
	e.Strings(`,"strings":`, []string{"y", "\t"})
	e.List(`,"l":`, len(ints), func(dst []byte, i int) ([]byte, error) { return AppendInt64(dst, ints[i]) })
	e.Map(`,"m":`, Names(bools), func(dst []byte, name string) ([]byte, error) { return AppendBool(dst, bools[name]) })
	e.Map(`,"em":`, nil, nil)
	e.OptionalString(`,"os":`, ptr("z"))
	e.OptionalInt64(`,"oi":`, ptr(int64(7)))
	e.OptionalFloat64(`,"of":`, ptr(1.5))
	e.OptionalBool(`,"ob":`, ptr(false))
	e.OptionalRaw(`,"or":`, Raw("null"))
	e.OptionalStrings(`,"ol":`, []string{})
	dst, err := e.End()
	want := `before{"type":"x","version":1,"s":"x\n","i":-1,"f":0.5,"b":true,"r":[1,2],"v":{"type":"item","id":"a"},` +
		`"n":null,"none":[],"strings":["y","\t"],"l":[1,2],"m":{"j":true,"k":false},"em":{},` +
		`"os":"z","oi":7,"of":1.5,"ob":false,"or":null,"ol":[],"x\u2028":{ }}`
	if err != nil || string(dst) != want {
		t.Errorf("got  %s, %v\nwant %s", dst, err, want)
	}
}

func TestOptionalMembersThatAreNilAreLeftOut(t *testing.T) {
	e := Encode([]byte("before"), nil)
	e.OptionalString(`,"os":`, nil)
	e.OptionalInt64(`,"oi":`, nil)
	e.OptionalFloat64(`,"of":`, nil)
	e.OptionalBool(`,"ob":`, nil)
	e.OptionalRaw(`,"or":`, nil)
	e.OptionalStrings(`,"ol":`, nil)
	if dst, err := e.End(); err != nil || string(dst) != `before{}` {
		t.Errorf("got %s, %v", dst, err)
	}
}

func TestEncoderMapKeepsTheOrderOfTheNames(t *testing.T) {
	e := Encode(nil, nil)
	e.Map(`,"m":`, []string{"b", "a\n", "c"}, func(dst []byte, name string) ([]byte, error) { return AppendString(dst, name) })
	if dst, err := e.End(); err != nil || string(dst) != `{"m":{"b":"b","a\n":"a\n","c":"c"}}` {
		t.Errorf("got %s, %v", dst, err)
	}
}

func TestEncoderStopsAtTheFirstError(t *testing.T) {
	bad := item{ID: "\xff"}
	items := []item{{}, bad}
	none := func([]byte, int) ([]byte, error) { panic("called after an error") }
	noName := func([]byte, string) ([]byte, error) { panic("called after an error") }
	for _, row := range []struct {
		name, path string
		kind       ErrorKind
		put        func(e *Encoder)
	}{
		{"string", "/k", codec.Unencodable, func(e *Encoder) { e.String(`,"k":`, "\xff") }},
		{"optional string", "/k", codec.Unencodable, func(e *Encoder) { e.OptionalString(`,"k":`, ptr("\xff")) }},
		{"number", "/k", codec.Unencodable, func(e *Encoder) { e.Float64(`,"k":`, math.Inf(1)) }},
		{"optional number", "/k", codec.Unencodable, func(e *Encoder) { e.OptionalFloat64(`,"k":`, ptr(math.NaN())) }},
		{"raw", "/k", codec.Unencodable, func(e *Encoder) { e.Raw(`,"k":`, Raw("{")) }},
		{"optional raw", "/k", codec.Unencodable, func(e *Encoder) { e.OptionalRaw(`,"k":`, Raw("")) }},
		{"no raw", "/k", codec.Missing, func(e *Encoder) { e.Raw(`,"k":`, nil) }},
		{"value", "/k/id", codec.Unencodable, func(e *Encoder) { e.Value(`,"k":`, &bad) }},
		{"no value", "/k", codec.Missing, func(e *Encoder) { e.Value(`,"k":`, nil) }},
		{"nil pointer", "/k", codec.Unencodable, func(e *Encoder) { e.Value(`,"k":`, (*item)(nil)) }},
		{"custom", "/k", codec.Unencodable, func(e *Encoder) { e.Value(`,"k":`, custom{}) }},
		{"strings", "/k/1", codec.Unencodable, func(e *Encoder) { e.Strings(`,"k":`, []string{"", "\xff"}) }},
		{"optional strings", "/k/0", codec.Unencodable, func(e *Encoder) { e.OptionalStrings(`,"k":`, []string{"\xff"}) }},
		{"list", "/k/1/id", codec.Unencodable, func(e *Encoder) {
			e.List(`,"k":`, len(items), func(dst []byte, i int) ([]byte, error) { return items[i].AppendJSON(dst) })
		}},
		{"map", "/k/m~1/id", codec.Unencodable, func(e *Encoder) {
			e.Map(`,"k":`, []string{"m/"}, func(dst []byte, _ string) ([]byte, error) { return bad.AppendJSON(dst) })
		}},
		{"name in a map", "/k/\xff", codec.Unencodable, func(e *Encoder) {
			e.Map(`,"k":`, []string{"\xff"}, func(dst []byte, _ string) ([]byte, error) { return AppendBool(dst, true) })
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			e := Encode(nil, &Members{{Name: "z2", Value: Raw("0")}})
			e.Const(`,"type":"x"`)
			row.put(&e)
			wantError(t, e.err, row.kind, row.path, -1)
			first, n := e.err, len(e.buf)
			for i, again := range []func(){
				func() { row.put(&e) },
				func() { e.Const(`,"z":0`) },
				func() { e.String(`,"z":`, "\xff") },
				func() { e.Int64(`,"z":`, 0) },
				func() { e.Float64(`,"z":`, math.NaN()) },
				func() { e.Bool(`,"z":`, true) },
				func() { e.Raw(`,"z":`, nil) },
				func() { e.Value(`,"z":`, nil) },
				func() { e.Null(`,"z":`) },
				func() { e.Strings(`,"z":`, []string{"\xff"}) },
				func() { e.List(`,"z":`, 1, none) },
				func() { e.Map(`,"z":`, []string{"z"}, noName) },
				func() { e.OptionalInt64(`,"z":`, ptr(int64(0))) },
				func() { e.OptionalBool(`,"z":`, ptr(true)) },
			} {
				if again(); len(e.buf) != n || e.err != first {
					t.Errorf("step %d goes on: %s, %v", i, e.buf, e.err)
				}
			}
			if got, err := e.End(); err != first || len(got) != n {
				t.Errorf("%s, %v; want %v", got, err, first)
			}
		})
	}
}

// custom is a value of other code that cannot be encoded.
type custom struct{}

func (custom) AppendJSON(dst []byte) ([]byte, error) { return dst, errors.New("custom") }

// encoderOf returns an Encoder that has appended members, after other text, and has extra ones.
func encoderOf(members string, extra *Members) *Encoder {
	e := Encode([]byte("["), extra)
	e.Const(members)
	return &e
}

func TestEndPrefersWhatIsSet(t *testing.T) {
	for _, row := range []struct {
		name, members string
		extra         Members
		want          string
	}{
		{"nothing", ``, nil, `{}`},
		{"no extras", `,"a":1`, nil, `{"a":1}`},
		{"extras only", ``, extras("x", "1", "y", "2"), `{"x":1,"y":2}`},
		{"a duplicate member", `,"a":1,"b":"}"`, extras("x", "1", "b", "2"), `{"a":1,"b":"}","x":1}`},
		{"a duplicate of the first", `,"a":{"x":"\""},"b":[]`, extras("a", "2", "x", "3"), `{"a":{"x":"\""},"b":[],"x":3}`},
		{"duplicates only", `,"a":1`, extras("a", "2", "a", "3"), `{"a":1}`},
		{"names with escapes", `,"a\n":1`, extras("a\n", "2", "\"", "3"), `{"a\n":1,"\"":3}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := encoderOf(row.members, &row.extra).End()
			if err != nil || string(got) != "["+row.want {
				t.Errorf("got %s, %v; want %s", got, err, row.want)
			}
			// The same among many.
			many := row.extra
			want := row.want[:len(row.want)-1]
			for i := range 20 {
				name := fmt.Sprintf("many%d", i)
				many = append(many, codec.Member{Name: name, Value: Raw("0")})
				if want != "{" {
					want += ","
				}
				want += `"` + name + `":0`
			}
			got, err = encoderOf(row.members, &many).End()
			if err != nil || string(got) != "["+want+"}" {
				t.Errorf("got %s, %v; want %s}", got, err, want)
			}
		})
	}
	if got, err := encoderOf(`,"a":1`, nil).End(); err != nil || string(got) != `[{"a":1}` {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestEndNamesWhatCannotBeWritten(t *testing.T) {
	for _, row := range []struct {
		name  string
		extra Members
		kind  ErrorKind
		path  string
	}{
		{"broken value", extras("a", "1", "b/c", "{"), codec.Unencodable, "/b~1c"},
		{"broken name", extras("\xff", "1"), codec.Unencodable, "/\xff"},
		{"duplicate name", extras("a", "1", "b", "1", "a", "1"), codec.Duplicate, "/a"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := encoderOf("", &row.extra).End()
			wantError(t, err, row.kind, row.path, -1)
			var many Members
			for i := range 20 {
				many = append(many, codec.Member{Name: fmt.Sprintf("many%d", i), Value: Raw("0")})
			}
			_, err = encoderOf("", ptr(append(many, row.extra...))).End()
			wantError(t, err, row.kind, row.path, -1)
		})
	}
}

func TestWhatIsReadIsWrittenBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawItem(t, 3)
		line, err := v.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		wantOneLine(t, line)
		got, err := readItem(string(line), nil)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		again, err := got.AppendJSON(nil)
		if err != nil || string(again) != string(line) {
			t.Fatalf("%s becomes %s, %v", line, again, err)
		}
		if diff := cmp.Diff(v, got); diff != "" {
			t.Fatalf("%s:\n%s", line, diff)
		}
	})
}

func drawItem(t *rapid.T, depth int) *item {
	v := &item{ID: rapid.String().Draw(t, "id")}
	if rapid.Bool().Draw(t, "has count") {
		v.Count = ptr(rapid.Int64().Draw(t, "count"))
	}
	if depth > 0 && rapid.Bool().Draw(t, "has sub") {
		v.Sub = drawItem(t, depth-1)
	}
	if depth > 0 && rapid.Bool().Draw(t, "has items") {
		v.Items = []item{}
		for range rapid.IntRange(0, 2).Draw(t, "items") {
			v.Items = append(v.Items, *drawItem(t, depth-1))
		}
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "extra") {
		raw, err := AppendRaw(nil, Raw(jsontest.JSON(2).Draw(t, "value")))
		if err != nil {
			t.Fatal(err)
		}
		d := decoderOf(string(raw), nil) // without the space around it
		if !d.Raw((*Raw)(&raw)) {
			t.Fatal(d.Err())
		}
		addMember(&v.Extra, fmt.Sprintf("x%d%s", i, rapid.String().Draw(t, "name")), raw)
	}
	return v
}

func TestEncodingIntoAReusedBufferDoesNotAllocate(t *testing.T) {
	v := &item{ID: "an id", Count: ptr(int64(7)), Sub: &item{ID: "b"}, Extra: ptr(extras("x", `{"y":[1,2]}`))}
	buf, err := v.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { buf, _ = v.AppendJSON(buf[:0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestNonEmptyRefusesAnEmptyString(t *testing.T) {
	for text, want := range map[string]string{"r": `{"id":"r"}`, "": ""} {
		e := Encode(nil, nil)
		e.NonEmpty(`,"id":`, text)
		out, err := e.End()
		if want == "" {
			wantError(t, err, codec.Missing, "/id", -1)
		} else if err != nil || string(out) != want {
			t.Errorf("%s, %v", out, err)
		}
	}
}

func TestOnlyStandsInForAnEmptyString(t *testing.T) {
	kept := &Members{{Name: "role", Value: Raw(`""`)}}
	for _, row := range []struct {
		text  string
		extra *Members
		want  string
	}{
		{"", nil, `{"role":"user"}`},
		{"other", nil, `{"role":"other"}`},
		{"", kept, `{"role":""}`},
		{"other", kept, `{"role":"other"}`},
		{"", &Members{{Name: "role"}}, `{}`},
	} {
		e := Encode(nil, row.extra)
		e.Only(`,"role":`, row.text, "user")
		if out, err := e.End(); err != nil || string(out) != row.want {
			t.Errorf("%q: %s, %v", row.text, out, err)
		}
	}
}

// TestRequiredMembersWithoutAValueAreWrittenAsTheyWereRead holds for those that a Decoder kept raw,
// and for the marks of those that were missing.
func TestRequiredMembersWithoutAValueAreWrittenAsTheyWereRead(t *testing.T) {
	none := func(dst []byte, _ int) ([]byte, error) { return append(dst, '0'), nil }
	noName := func(dst []byte, _ string) ([]byte, error) { return append(dst, '0'), nil }
	for _, row := range []struct {
		name       string
		unset, set func(e *Encoder)
		want       string // where it is set
	}{
		{"string", func(e *Encoder) { e.String(`,"k":`, "") }, func(e *Encoder) { e.String(`,"k":`, "x") }, `"x"`},
		{"non-empty", func(e *Encoder) { e.NonEmpty(`,"k":`, "") }, func(e *Encoder) { e.NonEmpty(`,"k":`, "x") }, `"x"`},
		{"integer", func(e *Encoder) { e.Int64(`,"k":`, 0) }, func(e *Encoder) { e.Int64(`,"k":`, 7) }, `7`},
		{"number", func(e *Encoder) { e.Float64(`,"k":`, 0) }, func(e *Encoder) { e.Float64(`,"k":`, 0.5) }, `0.5`},
		{"boolean", func(e *Encoder) { e.Bool(`,"k":`, false) }, func(e *Encoder) { e.Bool(`,"k":`, true) }, `true`},
		{"raw", func(e *Encoder) { e.Raw(`,"k":`, nil) }, func(e *Encoder) { e.Raw(`,"k":`, Raw("1")) }, `1`},
		{"value", func(e *Encoder) { e.Value(`,"k":`, new(item)) }, func(e *Encoder) { e.Value(`,"k":`, &item{ID: "a"}) }, `{"type":"item","id":"a"}`},
		{"no value", func(e *Encoder) { e.Value(`,"k":`, nil) }, func(e *Encoder) { e.Value(`,"k":`, &item{ID: "a"}) }, `{"type":"item","id":"a"}`},
		{"unknown arm", func(e *Encoder) { e.Value(`,"k":`, unknownItem{}) }, func(e *Encoder) { e.Value(`,"k":`, unknownItem{Raw(`{"type":"x"}`)}) }, `{"type":"x"}`},
		{"strings", func(e *Encoder) { e.Strings(`,"k":`, nil) }, func(e *Encoder) { e.Strings(`,"k":`, []string{}) }, `[]`},
		{"list", func(e *Encoder) { e.List(`,"k":`, 0, none) }, func(e *Encoder) { e.List(`,"k":`, 1, none) }, `[0]`},
		{"map", func(e *Encoder) { e.Map(`,"k":`, nil, noName) }, func(e *Encoder) { e.Map(`,"k":`, []string{"a"}, noName) }, `{"a":0}`},
		{"null", func(e *Encoder) { e.Null(`,"k":`) }, func(e *Encoder) { e.OptionalString(`,"k":`, ptr("")) }, `""`},
	} {
		for _, c := range []struct {
			put   func(e *Encoder)
			value Raw
			want  string
		}{
			{row.unset, nil, `{}`},
			{row.unset, Raw(`[7]`), `{"k":[7]}`},
			{row.set, nil, `{"k":` + row.want + `}`},
			{row.set, Raw(`[7]`), `{"k":` + row.want + `}`},
		} {
			e := Encode(nil, &Members{{Name: "k", Value: c.value}})
			c.put(&e)
			if out, err := e.End(); err != nil || string(out) != c.want {
				t.Errorf("%s, kept %q: %s, %v; want %s", row.name, c.value, out, err, c.want)
			}
		}
	}
}

type unknownItem struct{ Raw Raw }

func (v unknownItem) AppendJSON(dst []byte) ([]byte, error) {
	return AppendUnknown(dst, v.Raw, "type", false)
}

func TestOrNullAppendsTheValueOrNullOrNothing(t *testing.T) {
	for _, row := range []struct {
		name  string
		put   func(e *Encoder, valid, null bool)
		value string
	}{
		{"string", func(e *Encoder, valid, null bool) { e.StringOrNull(`,"k":`, valid, null, "") }, `""`},
		{"integer", func(e *Encoder, valid, null bool) { e.Int64OrNull(`,"k":`, valid, null, 0) }, `0`},
		{"number", func(e *Encoder, valid, null bool) { e.Float64OrNull(`,"k":`, valid, null, 0.5) }, `0.5`},
		{"boolean", func(e *Encoder, valid, null bool) { e.BoolOrNull(`,"k":`, valid, null, false) }, `false`},
		{"object", func(e *Encoder, valid, null bool) { e.ValueOrNull(`,"k":`, valid, null, &item{ID: "a"}) }, `{"type":"item","id":"a"}`},
	} {
		kept := &Members{{Name: "k", Value: Raw("[7]")}}
		for _, c := range []struct {
			valid, null bool
			extra       *Members
			want        string
		}{
			{true, false, nil, `{"k":` + row.value + `}`},
			{true, true, kept, `{"k":` + row.value + `}`}, // what is set wins, zero or not
			{false, true, nil, `{"k":null}`},
			{false, true, kept, `{"k":[7]}`},
			{false, false, nil, `{}`},
		} {
			e := Encode(nil, c.extra)
			row.put(&e, c.valid, c.null)
			if out, err := e.End(); err != nil || string(out) != c.want {
				t.Errorf("%s, valid %t, null %t: %s, %v; want %s", row.name, c.valid, c.null, out, err, c.want)
			}
		}
	}
}
