package framing

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestExpectedFrames(t *testing.T) {
	for _, test := range []struct {
		name, line string
		want       string // must, may or no
	}{
		{"object", `{"a":1}`, "must"},
		{"carriage return", "{\"a\":1}\r", "must"},
		{"space", " {}\t", "must"},
		{"separator in a string", "{\"a\":\"\u2028\"}", "must"},
		{"pair", `{"a":"\ud83d\ude00"}`, "must"},
		{"escaped backslash before u", `{"a":"\\ud800"}`, "must"},
		{"special name", `{"__proto__":1}`, "must"},
		{"lone surrogate", `{"a":"\ud800"}`, "may"},
		{"low before high", `{"a":"\udc00\ud800"}`, "may"},
		{"duplicate", `{"a":1,"a":1}`, "may"},
		{"duplicate below", `{"a":{"b":1,"b":2}}`, "may"},
		{"deep", `{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}", "may"},
		{"too deep for Go", `{"a":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}", "may"},
		{"number", `{"a":1e999}`, "may"},
		{"byte-order mark", "\ufeff{}", "may"},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", "may"},
		{"nearly JSON", `{a:1}`, "may"},
		{"no-break space", "\u00a0{}", "may"},
		{"long", `{"a":"` + strings.Repeat("x", MaxLine) + `"}`, "may"},
		{"empty", "", "no"},
		{"array", "[1]", "no"},
		{"null", "null", "no"},
		{"two", "{}{}", "no"},
		{"two with space", "{} {}", "no"},
		{"object and array", "{}[]{}", "no"},
		{"text before", "x {}", "no"},
		{"text after", "{} x", "no"},
		{"half", `{"a":`, "no"},
		{"NUL after", "{}\x00", "no"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := "no"
			if e, ok := expectLine([]byte(test.line)); ok {
				if got = "may"; e.Must {
					got = "must"
				}
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestJudgementOfAnOutput(t *testing.T) {
	for _, test := range []struct {
		name, stream, output string
		want                 Kind // "" for no problem
	}{
		{"right", "{\"a\":1}\n{\"b\":2}\n", "{\"a\":1}\n{\"b\":2}\n", ""},
		{"other spelling", `{"a":1.0,"b":"\u0041"}`, `{ "b": "A", "a": 1 }`, ""},
		{"may come", "{\"a\":1,\"a\":2}\n{}\n", "{\"a\":2}\n{}\n", ""},
		{"may be absent", "{\"a\":1,\"a\":2}\n{}\n", "{}\n", ""},
		{"may and must are the same", "\ufeff{}\n{}\n", "{}\n", ""},
		{"must after several that may", "\ufeff{}\n{a}\n{\"n\":1}\n", "{\"n\":1}\n", ""},
		{"lost", "{\"a\":1}\n{\"b\":2}\n", "{\"a\":1}\n", Lost},
		{"all lost", "{\"a\":1}\n", "", Lost},
		{"one of two equal ones lost", "{}\n{}\n", "{}\n", Lost},
		{"merged", "{\"a\":1}\n{\"b\":2}\n", "{\"a\":1,\"b\":2}\n", Merged},
		{"split", "{\"a\":1,\"b\":2}\n", "{\"a\":1}\n{\"b\":2}\n", Split},
		{"changed", "{\"a\":1}\n", "{\"a\":2}\n", Changed},
		{"changed kind", "{\"a\":1}\n", "{\"a\":\"1\"}\n", Changed},
		{"invented", "{\"a\":1}\n", "{\"a\":1}\n{\"b\":1}\n", Invented},
		{"invented from noise", "x\n", "{}\n", Invented},
		{"not JSON", "{}\n", "{}\nhello\n", Invented},
		{"array", "[1]\n", "[1]\n", Invented},
		{"repeated", "{\"a\":1}\n", "{\"a\":1}\n{\"a\":1}\n", Repeated},
		{"reordered", "{\"a\":1}\n{\"b\":1}\n", "{\"b\":1}\n{\"a\":1}\n", Reordered},
		{"carriage return", "{}\r\n", "{}\r\n", CRKept},
		{"split at CR beside a frame that may come", "\xbf{}\n{}\ne\r{\"\":7}", "{}\n{\"\":7}\n", Invented},
		{"invented before a frame that may come", "x\n\ufeff{\"a\":1}\n", "{\"b\":2}\n", Invented},
		{"invented after a frame that is nearly JSON", "{a:1}\nx {\"b\":2}\n", "{\"b\":2}\n", Invented},
		{"one of two values of a duplicate member", "{\"a\":1,\"a\":2,\"b\":3}\n", "{\"a\":1,\"b\":3}\n", ""},
		{"another value beside a duplicate member", "{\"a\":1,\"a\":2,\"b\":3}\n", "{\"a\":1,\"b\":4}\n", Invented},
		{"half a character as anything", "{\"a\":\"\xffx\",\"b\":1}\n", "{\"a\":\"?x\",\"b\":1}\n", ""},
		{"reordered around a frame that may come", "{\"a\":1}\n{\"b\":1,\"b\":2}\n{\"c\":1}\n", "{\"c\":1}\n{\"b\":2}\n{\"a\":1}\n", Reordered},
		{"reordered with a loss", "{\"a\":1}\n{\"b\":1}\n{\"c\":1}\n", "{\"b\":1}\n{\"a\":1}\n", Reordered},
		{"blank lines in the output", "{}\n", "\n{}\n\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := judge(Expect([]byte(test.stream)), []byte(test.output), false)
			var got Kind
			if p != nil {
				got = p.Kind
			}
			if got != test.want {
				t.Errorf("got %+v, want %q", p, test.want)
			}
		})
	}
	if p := judge(Expect([]byte("{}\n")), []byte("{}\r\n"), true); p != nil {
		t.Errorf("a parser that writes CR LF: %+v", p)
	}
}

func TestQuoteCountsRuns(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", `""`},
		{"a\n", `"a\n"`},
		{`{"a":"` + strings.Repeat("x", 1000) + `"}`, `"{\"a\":\"" + 1000*"x" + "\"}"`},
		{strings.Repeat("\xff", 30), `30*"\xff"`},
	} {
		if got := Quote([]byte(test.in)); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// A stream that is too long for the best alignment is judged in the same words.
func TestFramesLostFromALongStreamAreCalledLost(t *testing.T) {
	const frames = 3000
	var stream []byte
	for n := range frames {
		stream = fmt.Appendf(stream, "{\"n\":%d}\n", n)
	}
	expected := Expect(stream)
	for _, lost := range [][]int{{100, 2900}, {100, 101, 2900}, {100, 102, 2900}, {100, 102, 104, 2000, 2900}} {
		var output []byte
		for n := range frames {
			if !slices.Contains(lost, n) {
				output = fmt.Appendf(output, "{\"n\":%d}\n", n)
			}
		}
		want := fmt.Sprintf("%d frames did not come out: line 101, ", len(lost))
		if p := judge(expected, output, false); p == nil || p.Kind != Lost || !strings.HasPrefix(p.Detail, want) {
			t.Errorf("without %v: %+v", lost, p)
		}
	}
}
