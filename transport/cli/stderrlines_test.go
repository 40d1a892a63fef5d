package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestStderrCallbackGetsEachLine(t *testing.T) {
	long := strings.Repeat("x", maxStderrLine-1)
	tests := []struct {
		name   string
		writes []string
		want   []string
	}{
		{"nothing", nil, nil},
		{"lines", []string{"a\nb\n"}, []string{"a", "b"}},
		{"a line in pieces", []string{"a", "b", "\nc", "\n"}, []string{"ab", "c"}},
		{"empty lines and CRLF", []string{"\r\n\na\r\n"}, []string{"", "", "a"}},
		{"no line end", []string{"a\nb"}, []string{"a", "b"}},
		{"invalid UTF-8", []string{"a\xff\n"}, []string{"a\uFFFD"}},
		{"a character in pieces", []string{"\xe2", "\x82\xac\n"}, []string{"€"}},
		{"too long", []string{long + "xyz\n"}, []string{long + "x", "yz"}},
		{"too long, not cut in a character", []string{long + "€\n"}, []string{long, "€"}},
		{"just not too long", []string{long + "x\n"}, []string{long + "x"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			peertest.CheckLeaks(t)
			var got []string
			q := newLineQueue(func(line string, dropped int) {
				if dropped != 0 {
					t.Errorf("%d lines dropped", dropped)
				}
				got = append(got, line)
			})
			for _, w := range test.writes {
				q.write([]byte(w))
			}
			q.finish(time.Now().Add(peertest.Patience))
			if !slices.Equal(got, test.want) {
				t.Errorf("got %.80q, want %.80q", got, test.want)
			}
		})
	}
}

func TestSlowStderrCallbackNeverBlocksTheProcess(t *testing.T) {
	const count = 100_000 // several times what is queued
	last := fmt.Sprintf("line %06d", count-1)
	release, finished := make(chan struct{}), make(chan struct{})
	lines, dropped := 0, 0
	opts := childOptions(t, "flood", fmt.Sprint(count))
	opts.OnStderr = func(line string, before int) {
		<-release
		lines++
		dropped += before
		if line == last {
			close(finished)
		}
	}
	p := start(t, opts)
	if err := p.Wait(); err != nil { // with the callback still in its first call
		t.Error(err)
	}
	close(release)
	<-finished
	if lines+dropped != count || dropped == 0 {
		t.Errorf("%d lines and %d dropped, want %d together", lines, dropped, count)
	}
}
