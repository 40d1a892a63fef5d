package line_test

import (
	"testing"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/line"
	"github.com/ccwire/ccwire/internal/sim/release"
)

func TestAMemberIsThereIfItsConditionAndVersionHold(t *testing.T) {
	l := line.Line[int]{
		{Name: "type", Value: line.Always[int]("count")},
		{Name: "big", Value: func(n int) any { return n }, When: func(n int) bool { return n > 9 }},
		{Name: "new", Value: func(n int) any { return -n }, Since: "2.1.90"},
		{Name: "even", Value: func(n int) any { return object.If(n%2 == 0, true) }},
	}
	for _, test := range []struct {
		version string
		n       int
		want    string
	}{
		{"2.1.325", 3, `{"type":"count","new":-3}`},
		{"2.1.325", 10, `{"type":"count","big":10,"new":-10,"even":true}`},
		{"2.1.90", 3, `{"type":"count","new":-3}`},
		{"2.1.9", 3, `{"type":"count"}`},
		{"1.9.325", 10, `{"type":"count","big":10,"even":true}`},
	} {
		r, err := release.New(test.version)
		if err != nil {
			t.Fatal(err)
		}
		if got := object.Text(l.Object(r, test.n)); got != test.want {
			t.Errorf("version %s of %d is %s, want %s", test.version, test.n, got, test.want)
		}
	}
}
