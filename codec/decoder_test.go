package codec

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestKeyReadsNamesInAnySpelling(t *testing.T) {
	for _, row := range []struct {
		text string
		want []string
	}{
		{`{}`, nil},
		{" {\t\r\n} ", nil},
		{`{"a":1}`, []string{"a"}},
		{`{"a":1,"b":2}`, []string{"a", "b"}},
		{" { \"a\" : 1 , \"b\"\t:\n2 } ", []string{"a", "b"}},
		{`{"":1}`, []string{""}},
		{`{"\u0061\n":1,"\ud83d\ude00":2,"\ud800":3}`, []string{"a\n", "😀", "\xed\xa0\x80"}},
		{`{"é":1,"a b":2,"}":3,"\"":4}`, []string{"é", "a b", "}", `"`}},
		{`{"0123456789abcdef0123456789abcdef":1,"0123456789abcdef0123456789abcde\u0066":2}`,
			[]string{"0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"}},
	} {
		d := decoderOf(row.text, nil)
		if !d.Open() {
			t.Fatal(d.Err())
		}
		var got []string
		for {
			key, ok := d.Key()
			if !ok {
				break
			}
			got = append(got, string(key))
			if !d.Skip() {
				break
			}
		}
		if diff := cmp.Diff(row.want, got); diff != "" || d.Err() != nil {
			t.Errorf("%s: %v\n%s", row.text, d.Err(), diff)
		}
		if d.Pos() != strings.LastIndexByte(row.text, '}')+1 {
			t.Errorf("%s: the position is %d", row.text, d.Pos())
		}
	}
}

// TestKeyScansEveryPosition is TestStringScansEveryPosition for names.
func TestKeyScansEveryPosition(t *testing.T) {
	for n := range 41 {
		for at := range n + 1 {
			before, after := strings.Repeat("a", at), strings.Repeat("z", n-at)
			for text, want := range map[string]string{`\"`: `"`, `\u0041`: "A", "é": "é", " ": " ", `\\`: `\`, "\x01": "", "\xff": "", `\q`: ""} {
				for _, colon := range []string{":", " :"} {
					for _, rest := range []string{"0}", `"a longer value"}`} {
						d := decoderOf(`{"`+before+text+after+`"`+colon+rest, nil)
						d.Open()
						key, ok := d.Key()
						if ok != (want != "") || ok && string(key) != before+want+after {
							t.Fatalf("%q at %d of %d: %q, %v", text, at, n, key, d.Err())
						}
						if ok && (!d.Skip() || !d.Finish() && d.Err() == nil) {
							t.Fatal(d.Err())
						}
					}
				}
			}
		}
	}
}

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
		wantError(t, d.Err(), Syntax, row.path, row.offset)
	}
}

func TestTheFirstFailureOfFinishStays(t *testing.T) {
	d := decoderOf(`1`, nil)
	var s string
	if d.String(&s) || d.Finish() {
		t.Error("a number is taken for a string")
	}
	if !errors.Is(d.Err(), &Error{Kind: WrongKind}) {
		t.Error(d.Err())
	}
}

func TestADecoderCanBeUsedAgain(t *testing.T) {
	var d Decoder
	var s string
	d.Reset([]byte(`{"a":`), &Options{Strict: true, MaxDepth: 1})
	if d.Skip() || d.Err() == nil || !d.Strict() || !d.Checks() {
		t.Fatal("a broken line is taken")
	}
	d.Reset([]byte(`[["kept"]]`), nil)
	if d.Strict() || d.Checks() || d.Err() != nil || !d.Skip() || !d.Finish() {
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
	var wrong map[string][]string
	if Map(&wrong, d, func(p *[]string, d *Decoder) bool { return Slice(p, d, ReadString) }) {
		t.Fatal("numbers are taken for strings")
	}
	v, ok := d.Salvage(m)
	if !ok || string(v) != `{"a":[1,{"b":2}]}` {
		t.Fatalf("%s, %v", v, d.Err())
	}
	var n int64
	if !d.More(1) || !d.Int64(&n) || n != 3 || d.More(2) || !d.Finish() || d.depth != 0 {
		t.Errorf("%d at depth %d, %v", n, d.depth, d.Err())
	}
	d = decoderOf(`"x"`, &Options{Strict: true})
	m = d.Mark()
	if d.Int64(&n) {
		t.Fatal("a string is taken for a number")
	}
	if v, ok := d.Salvage(m); ok {
		t.Errorf("the strict mode keeps %s", v)
	}
	wantError(t, d.Err(), WrongKind, "", 0)
}

func TestUnknownIsAnErrorInTheStrictModeOnly(t *testing.T) {
	var seen []Deviation
	d := decoderOf(`{"type":"new"}`, &Options{Report: func(v Deviation) { seen = append(seen, v) }})
	if !d.Unknown(UnknownTag, 8, "new") || len(seen) > 0 || !d.Skip() || !d.Finish() {
		t.Error(d.Err())
	}
	if diff := cmp.Diff([]Deviation{{UnknownTag, "/type", 8, "new"}}, seen); diff != "" {
		t.Error(diff)
	}
	d = decoderOf(`{"type":"new"}`, &Options{Strict: true})
	if d.Unknown(UnknownTag, 8, "new") {
		t.Error("the strict mode takes it")
	}
	wantError(t, d.Err(), NotAllowed, "/type", 8)
	d = decoderOf(`{"type":"new"}`, nil)
	if !d.Unknown(UnknownTag, 8, "new") || d.Checks() {
		t.Error(d.Err())
	}
}

// TestManyUnknownMembersTakeLinearTime would run for minutes if the time grew
// with the square of the members.
func TestManyUnknownMembersTakeLinearTime(t *testing.T) {
	const members = 200_000
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
		"reported": {Alias: true, Report: func(v Deviation) {
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
	wantError(t, err, Duplicate, "/unknown member 0", len(text)-1+len(`,"unknown member 0":`))
}

func TestDeepTextBeforeAFaultIsCheap(t *testing.T) {
	const deep = 1 << 20
	text := `{"a":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + `,"type":1}`
	d := decoderOf(text, nil)
	var tags Tags
	if d.Tag(&tags, `{"type":"`, "type", "") {
		t.Fatal("a number is taken for a tag")
	}
	wantError(t, d.Err(), WrongKind, "/type", len(text)-2)
}
