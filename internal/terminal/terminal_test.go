package terminal

import (
	"bytes"
	"os"
	"testing"
	"time"
)

func TestStyleColoursOnlyWhenAskedOrOnATerminal(t *testing.T) {
	none := func(string) string { return "" }
	for choice, want := range map[string]string{"always": "\x1b[31mx\x1b[0m", "never": "x", "auto": "x"} {
		style, err := NewStyle(choice, new(bytes.Buffer), none)
		if err != nil || style.Red("x") != want {
			t.Errorf("%s: %q, %v", choice, style.Red("x"), err)
		}
	}
	if _, err := NewStyle("green", nil, none); err == nil {
		t.Error("an unknown choice is accepted")
	}
}

func TestFilesAndBuffersAreNoTerminals(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if Is(f) || Is(new(bytes.Buffer)) || Is(nil) {
		t.Error("taken for a terminal")
	}
}

func TestPrintableEscapesWhatATerminalActsUpon(t *testing.T) {
	for in, want := range map[string]string{
		"plain é":       "plain é",
		"a\x1b[2Jb\n":   `a\x1b[2Jb\n`,
		"right\u202eto": `right\u202eto`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestProgressIsSilentForShortRunsAndOffTerminals(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, "lines")
	p.Tick()
	p.Clear()
	if out.Len() > 0 {
		t.Errorf("not a terminal, and got %q", out.String())
	}
	now := time.Unix(0, 0)
	p = &Progress{w: &out, what: "lines", next: now.Add(patience), now: func() time.Time { return now }}
	p.Tick()
	p.Clear()
	if out.Len() > 0 {
		t.Errorf("too early, and got %q", out.String())
	}
	now = now.Add(2 * patience)
	p.Tick()
	p.Tick()
	p.Clear()
	if want := "\r\x1b[K2 lines\r\x1b[K"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
