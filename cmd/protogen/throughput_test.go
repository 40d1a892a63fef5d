package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestThroughputIsSaidOfLongInputsOnly(t *testing.T) {
	for _, row := range []struct {
		bytes int64
		took  time.Duration
		want  string
	}{
		{0, time.Second, ""},
		{15e6, time.Second, ""},
		{500e6, 10 * time.Second, "500 MB in 10.0 s, 50 MB/s"},
	} {
		if got := throughput(row.bytes, row.took); got != row.want {
			t.Errorf("%d bytes: %q, want %q", row.bytes, got, row.want)
		}
	}
}

func TestFmtSaysHowFastItWasOnALongInput(t *testing.T) {
	line := `{"type":"keep_alive"}` + strings.Repeat(" ", 1<<20) + "\n"
	for _, row := range []struct {
		lines int
		want  string
	}{{1, `^$`}, {17, `^17 MB in \d+\.\d s, \d+ MB/s\n$`}} {
		cmd := newFmt()
		var out, errs bytes.Buffer
		cmd.SetIn(strings.NewReader(strings.Repeat(line, row.lines)))
		cmd.SetOut(&out)
		cmd.SetErr(&errs)
		cmd.SetArgs([]string{"-"})
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(row.want).MatchString(errs.String()) {
			t.Errorf("%d lines: %q", row.lines, errs.String())
		}
	}
}
