package object_test

import (
	"testing"

	"github.com/ccwire/ccwire/internal/sim/object"
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
