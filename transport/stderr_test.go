package transport

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestStderrKeepsTheLastLines(t *testing.T) {
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
		{"many small writes", 6, strings.SplitAfter(numberedLines(100)+"x\ny\n", ""), "x\ny\n"},
		{"the end of a long line", 6, []string{"abcdefgh"}, "cdefgh"},
		{"the end of a long line with its line end", 6, []string{"abcdefgh\n"}, "defgh\n"},
		{"never half a character at the start", 6, []string{"aaaaé€€"}, "€€"},
		{"half a character at the end", 8, []string{"ab\xe2\x82"}, "ab\uFFFD"},
		{"invalid bytes do not outgrow the limit", 8, []string{"a\xffb\xffc\xffd\xff"}, "c\uFFFDd\uFFFD"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStderr(test.limit, nil)
			for _, w := range test.writes {
				io.WriteString(s, w)
			}
			if got := s.String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestStderrIsBounded(t *testing.T) {
	const limit = 100
	s := newStderr(limit, nil)
	for i := range 1000 {
		s.Write([]byte(strings.Repeat("é\xff\n", i%200)))
		if tail := s.String(); len(tail) > limit || !utf8.ValidString(tail) {
			t.Fatalf("tail = %q", tail)
		}
		if len(s.buf) > 2*limit+1 {
			t.Fatalf("%d bytes are kept", len(s.buf))
		}
	}
}

func TestStderrFloodDoesNotBlockTheProcess(t *testing.T) {
	const count = 200_000 // 2.4 MB
	p := start(t, childOptions(t, "flood", "200000"))
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	text := numberedLines(count)
	if got := p.Exit().Stderr; !strings.HasSuffix(text, got) || !strings.HasPrefix(got, "line ") || len(got) < 64<<10-12 || len(got) > 64<<10 {
		t.Errorf("tail has %d bytes: %.20q … %q", len(got), got, got[max(0, len(got)-20):])
	}
}

func TestStderrCanBeReadWhileTheProcessRuns(t *testing.T) {
	opts := childOptions(t, "bye")
	said := make(chan string, 1)
	opts.OnStderr = func(line string, _ int) { said <- line }
	p := start(t, opts)
	io.WriteString(p.Stdin(), "\n")
	if line := <-said; line != "bye" || p.Stderr() != "bye\n" {
		t.Errorf("line = %q, tail = %q", line, p.Stderr())
	}
}
