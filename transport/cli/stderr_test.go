package cli

import (
	"io"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/peertest"
)

func TestStderrFloodDoesNotBlockTheProcess(t *testing.T) {
	const count = 200_000 // 2.4 MB
	p := start(t, childOptions(t, "flood", "200000"))
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	text := peertest.NumberedLines(count)
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
