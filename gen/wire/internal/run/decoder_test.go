package run

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/jsontext"
)

func TestBrokenObjectsAreRejectedWithPathAndOffset(t *testing.T) {
	for _, row := range []struct {
		text   string
		path   string
		offset int
	}{
		{`{`, "", 1},
		{`{"a`, "/a", 3},
		{`{"a"`, "/a", 4},
		{`{"a" 1}`, "/a", 5},
		{`{"a":`, "/a", 5},
		{`{"a":}`, "/a", 5},
		{`{"a":1`, "", 6},
		{`{"a":1,`, "", 7},
		{`{"a":1,}`, "", 7},
		{`{"a":1 "b":2}`, "", 7},
		{`{"a":1,,"b":2}`, "", 7},
		{`{"a":1{"b":2}`, "", 6},
		{`{"a":1 {"b":2}`, "", 7},
		{`{"a":{"b":1}{"c":1}}`, "", 12},
		{`{,"a":1}`, "", 1},
		{`{a:1}`, "", 1},
		{`{"a":1]`, "", 6},
		{`{"x":{"a":[1,{"b":nul}]}}`, "/x/a/1/b", 18},
		{`{"x":[1,2`, "/x", 9},
		{`{} {}`, "", 3},
	} {
		d := decoderOf(row.text, nil)
		if d.Skip() && d.Finish() {
			t.Errorf("%s is taken", row.text)
			continue
		}
		wantError(t, d.Err(), codec.Syntax, row.path, row.offset)
	}
}

func TestTheFirstFailureOfFinishStays(t *testing.T) {
	d := decoderOf(`1`, nil)
	var s string
	if d.String(&s) || d.Finish() {
		t.Error("a number is taken for a string")
	}
	if !errors.Is(d.Err(), codec.WrongKind) {
		t.Error(d.Err())
	}
}

func TestADecoderCanBeUsedAgain(t *testing.T) {
	var d Decoder
	var s string
	d.Reset([]byte(`{"a":`), &Options{Strict: true, MaxDepth: 1, Report: func(Deviation) {}})
	if d.Skip() || d.Err() == nil || !d.strict || d.report == nil {
		t.Fatal("a broken line is taken")
	}
	d.Reset([]byte(`[["kept"]]`), nil)
	if d.strict || d.report != nil || d.Err() != nil || !d.Skip() || !d.Finish() {
		t.Fatalf("the next line suffers: %v", d.Err())
	}
	d.Reset([]byte(`"kept"`), nil)
	if !d.String(&s) {
		t.Fatal(d.Err())
	}
	d.Reset([]byte(`"other"`), nil)
	var o string
	if !d.String(&o) || s != "kept" || o != "other" {
		t.Errorf("%q, %q", s, o)
	}
}

func TestSalvageGoesBackToTheValue(t *testing.T) {
	d := decoderOf(`[{"a":[1,{"b":2}]},3]`, nil)
	if !d.OpenArray() || !d.More(0) {
		t.Fatal(d.Err())
	}
	m := d.Mark()
	if d.Map(func(string) (int, bool) { var wrong []string; return 1, d.Strings(&wrong) }) {
		t.Fatal("numbers are taken for strings")
	}
	v, ok := d.Salvage(m)
	if !ok || string(v) != `{"a":[1,{"b":2}]}` {
		t.Fatalf("%s, %v", v, d.Err())
	}
	var n int64
	if !d.More(1) || !d.Int64(&n) || n != 3 || d.More(2) || !d.Finish() || d.Depth != 0 {
		t.Errorf("%d at depth %d, %v", n, d.Depth, d.Err())
	}
	d = decoderOf(`"x"`, &Options{Strict: true})
	m = d.Mark()
	if d.Int64(&n) {
		t.Fatal("a string is taken for a number")
	}
	if v, ok := d.Salvage(m); ok {
		t.Errorf("the strict mode keeps %s", v)
	}
	wantError(t, d.Err(), codec.WrongKind, "", 0)
}

func TestUnknownIsAnErrorInTheStrictModeOnly(t *testing.T) {
	var seen []Deviation
	d := decoderOf(`{"type":"new"}`, &Options{Report: func(v Deviation) { seen = append(seen, v) }})
	if !d.Unknown(codec.UnknownTag, 8, "new") || len(d.notes) == 0 || len(seen) > 0 || !d.Skip() || !d.Finish() || len(d.notes) > 0 {
		t.Error(d.Err())
	}
	if diff := cmp.Diff([]Deviation{{Kind: codec.UnknownTag, Path: "/type", Offset: 8, Detail: "new"}}, seen); diff != "" {
		t.Error(diff)
	}
	d = decoderOf(`{"type":"new"}`, &Options{Strict: true})
	if d.Unknown(codec.UnknownTag, 8, "new") {
		t.Error("the strict mode takes it")
	}
	wantError(t, d.Err(), codec.NotAllowed, "/type", 8)
	d = decoderOf(`{"type":"new"}`, nil)
	if !d.Unknown(codec.UnknownTag, 8, "new") || len(d.notes) > 0 {
		t.Error(d.Err())
	}
}

// TestManyUnknownMembersTakeLinearTime would run for minutes if the time grew with the square of
// the members.
func TestManyUnknownMembersTakeLinearTime(t *testing.T) {
	members := 200_000
	if testing.Short() {
		members /= 10
	}
	var b strings.Builder
	b.WriteString(`{"type":"item","id":"` + strings.Repeat("x", 1<<20) + `"`)
	for i := range members {
		fmt.Fprintf(&b, `,"unknown member %d":[%d]`, i, i)
	}
	b.WriteString("}")
	text := b.String()
	reports := 0
	for name, o := range map[string]*Options{
		"tolerant": nil,
		"reported": {Alias: true, MaxDeviations: -1, Report: func(v Deviation) {
			if want := fmt.Sprintf("/unknown member %d", reports); v.Path != want {
				t.Fatalf("reported %v, want %s", v, want)
			}
			reports++
		}},
	} {
		start := time.Now()
		v, err := readOnce(text, o)
		if err != nil || len(*v.Extra) != members {
			t.Fatalf("%s: %v", name, err)
		}
		out, err := v.AppendJSON(nil)
		if err != nil || string(out) != text {
			t.Fatalf("%s: %d bytes written of %d, %v", name, len(out), len(text), err)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: took %v", name, took)
		}
	}
	if reports != members {
		t.Errorf("%d reports", reports)
	}
	_, err := readOnce(text[:len(text)-1]+`,"unknown member 0":1}`, nil)
	wantError(t, err, codec.Duplicate, "/unknown member 0", len(text)-1+len(`,"unknown member 0":`))
}

func TestDeepTextBeforeAFaultIsCheap(t *testing.T) {
	const deep = 1 << 20
	text := `{"a":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + `,"type":1}`
	d := decoderOf(text, nil)
	if d.Tag(&itemTags) {
		t.Fatal("a number is taken for a tag")
	}
	wantError(t, d.Err(), codec.WrongKind, "/type", len(text)-2)
}

func TestSettleForgetsAWrongGuess(t *testing.T) {
	for _, text := range []string{`{"id":"a","type":"other"}`, `{"id":"a","new":[1],"type":"item"}`} {
		var seen []string
		d := decoderOf(text, &Options{Report: func(v Deviation) { seen = append(seen, v.Detail) }})
		d.Deviate(codec.LegacyShape, 0, "before")
		m := d.Guess()
		if d.Settle(m, new(item).read(d, false)) {
			t.Fatalf("%s is read as an item", text)
		}
		if d.Err() != nil || d.Pos != 0 || d.strict || !d.Skip() || !d.Finish() {
			t.Fatalf("%s: at %d: %v", text, d.Pos, d.Err())
		}
		if diff := cmp.Diff([]string{"before"}, seen); diff != "" {
			t.Error(diff)
		}
	}
}

func TestSettleKeepsARightGuess(t *testing.T) {
	for _, strict := range []bool{false, true} {
		var v item
		d := decoderOf(`{"id":"a","type":"item"}`, &Options{Strict: strict})
		if m := d.Guess(); !d.Settle(m, v.read(d, false)) || !d.Finish() || v.ID != "a" || d.strict != strict {
			t.Errorf("%+v, %v", v, d.Err())
		}
	}
}

func TestFaultsOfTheTextAreErrorsOfTheSameKind(t *testing.T) {
	for fault, kind := range map[jsontext.Kind]ErrorKind{
		jsontext.Syntax: codec.Syntax, jsontext.BadUTF8: codec.BadUTF8, jsontext.Duplicate: codec.Duplicate, jsontext.TooDeep: codec.TooDeep,
		jsontext.TooLong: codec.TooLong, jsontext.Missing: codec.Missing, jsontext.WrongKind: codec.WrongKind,
	} {
		if ErrorKind(fault) != kind {
			t.Errorf("fault %d is of kind %v, want %v", fault, ErrorKind(fault), kind)
		}
	}
}
