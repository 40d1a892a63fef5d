package tail

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestBufferKeepsTheLastLines(t *testing.T) {
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "line %06d\n", i)
	}
	tests := []struct {
		name   string
		limit  int
		writes []string
		want   string
	}{
		{"nothing", 10, nil, ""},
		{"all of a short text", 10, []string{"ab\n", "cd"}, "ab\ncd"},
		{"exactly the limit", 6, []string{"ab\ncd\n"}, "ab\ncd\n"},
		{"cut at a line start", 6, []string{"abc\ncd\nef"}, "cd\nef"},
		{"cut where a line starts anyway", 6, []string{"ab\ncd\nef\n"}, "cd\nef\n"},
		{"many small writes", 6, strings.SplitAfter(many.String()+"x\ny\n", ""), "x\ny\n"},
		{"the end of a long line", 6, []string{"abcdefgh"}, "cdefgh"},
		{"the end of a long line with its line end", 6, []string{"abcdefgh\n"}, "defgh\n"},
		{"never half a character at the start", 6, []string{"aaaaé€€"}, "€€"},
		{"half a character at the end", 8, []string{"ab\xe2\x82"}, "ab\uFFFD"},
		{"invalid bytes do not outgrow the limit", 8, []string{"a\xffb\xffc\xffd\xff"}, "c\uFFFDd\uFFFD"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := New(test.limit)
			for _, w := range test.writes {
				io.WriteString(b, w)
			}
			if got := b.String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestAZeroBufferKeepsTheDefaultLimit(t *testing.T) {
	var b Buffer
	io.WriteString(&b, strings.Repeat("a", DefaultLimit)+"\n")
	io.WriteString(&b, strings.Repeat("b", DefaultLimit-1)+"\n")
	if got, want := b.String(), strings.Repeat("b", DefaultLimit-1)+"\n"; got != want {
		t.Errorf("%d bytes are kept", len(got))
	}
}

func TestBufferIsBounded(t *testing.T) {
	const limit = 100
	b := New(limit)
	for i := range 1000 {
		b.Write([]byte(strings.Repeat("é\xff\n", i%200)))
		if text := b.String(); len(text) > limit || !utf8.ValidString(text) {
			t.Fatalf("tail = %q", text)
		}
		if len(b.buf) > 2*limit+1 {
			t.Fatalf("%d bytes are kept", len(b.buf))
		}
	}
}
