package object_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
)

func TestValuesAreWrittenAsJavaScriptDoes(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"the order of members stays", `{"b":1,"a":2}`, `{"b":1,"a":2}`},
		{"the last of equal names counts", `{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`},
		{"numbers", `[1.0, -0, 1e3, 0.5, 1e-7, 1e21, 123456789012]`, `[1,0,1000,0.5,1e-7,1e+21,123456789012]`},
		{"separators are escaped", "\"\u2028\u2029\u0085\u007f\"", `"\u2028\u2029\u0085\u007f"`},
		{"half of a pair", `"x\ud800y"`, `"x\ud800y"`},
		{"a pair", `"\ud83d\ude00"`, `"😀"`},
		{"bytes that are not UTF-8", "\"a\xffb\"", "\"a\ufffdb\""},
		{"escapes", `"\n\t\u0001\/"`, `"\n\t\u0001/"`},
		{"space", " { \"a\" : [ ] } ", `{"a":[]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, err := object.Parse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if got := object.Text(v); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestWhatIsNotJSONIsRefused(t *testing.T) {
	for _, in := range []string{``, `{`, `{"a"}`, `{"a":1,}`, `[1,]`, `[1 2]`, `"a`, "\"\x01\"", `01`, `1.`, `-`, `tru`, `{} {}`, `"\x"`, "\x00"} {
		if v, err := object.Parse([]byte(in)); err == nil {
			t.Errorf("%q is read as %v", in, v)
		}
	}
}

func TestOfLeavesOutWhatIsAbsent(t *testing.T) {
	o := object.Of("a", 1, "b", object.If(false, 2), "c", object.If(true, nil))
	if got := object.Text(o); got != `{"a":1,"c":null}` {
		t.Errorf("got %s", got)
	}
	o.Set("a", object.Absent)
	if got := object.Text(o.With("d", []string{"x"})); got != `{"c":null,"d":["x"]}` {
		t.Errorf("got %s", got)
	}
}

func TestParseExactKeepsNumbersAndEveryMember(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"the spelling of numbers", `[1.0, -0, 1e3, 123456789012345678901234567890]`, `[1.0,-0,1e3,123456789012345678901234567890]`},
		{"members with the same name", `{"a":1,"b":2,"a":3}`, `{"a":1,"b":2,"a":3}`},
		{"half of a pair", `{"\ud800":"\udfff"}`, `{"\ud800":"\udfff"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, err := object.ParseExact([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if got := object.Text(v); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestAnObjectOfManyMembersIsReadAsOneOfFew(t *testing.T) {
	var in, want strings.Builder
	for i := range 100 {
		fmt.Fprintf(&in, `,"m%d":%d`, i, i)
		fmt.Fprintf(&want, `,"m%d":%d`, i, -i)
	}
	for i := range 100 {
		fmt.Fprintf(&in, `,"m%d":%d`, i, -i)
	}
	v, err := object.Parse([]byte("{" + in.String()[1:] + "}"))
	if err != nil {
		t.Fatal(err)
	}
	if got := object.Text(v); got != "{"+want.String()[1:]+"}" {
		t.Errorf("got %s", got)
	}
}

func TestValuesOfOtherGoTypesAreWrittenAsEncodingJSONSeesThem(t *testing.T) {
	v := struct {
		Number json.Number       `json:"number"`
		Raw    []json.RawMessage `json:"raw"`
		Text   string            `json:"text"`
	}{"1.0", []json.RawMessage{[]byte(`{"b":1.50,"a":null}`)}, "<&>\u2028"}
	if got, want := object.Text(object.Of("v", v)), `{"v":{"number":1.0,"raw":[{"b":1.50,"a":null}],"text":"<&>\u2028"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
