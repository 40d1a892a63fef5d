package terminal

import (
	"bytes"
	"os"
	"testing"
	"testing/synctest"
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
		"a\x9b31m":      "a\ufffd31m", // the byte begins a sequence where text is not UTF-8
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestProgressOnATerminalIsOneLineThatChangesAfterASecond(t *testing.T) {
	t.Setenv("COLUMNS", "40")
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := newProgress(&out, "line", true, func() time.Time { return now })
	p.Tick()
	p.Clear()
	if out.Len() > 0 {
		t.Errorf("too early, and got %q", out.String())
	}
	now = now.Add(2 * patience)
	p.Tick()
	p.Tick()
	now = now.Add(2 * interval)
	p.Set(3, 344, "1 fails: permission/deny-with-interrupt")
	p.Clear()
	p.Clear()
	want := "\r\x1b[K2 lines\r\x1b[K3 of 344 lines, 1 fails: permission/de…\r\x1b[K"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestProgressElsewhereIsALineNowAndThen(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := newProgress(&out, "run", false, func() time.Time { return now })
	for range 40 {
		now = now.Add(time.Second)
		p.Tick()
	}
	p.Clear()
	if want := "16 runs\n32 runs\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestWorkingSaysHowLongItTakes(t *testing.T) {
	for rewrite, want := range map[bool]string{
		true:  "\r\x1b[Knpm\r\x1b[Knpm (1 s)\r\x1b[Knpm (2 s)\r\x1b[K",
		false: "npm\n",
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			done := working(&out, "npm", rewrite)
			time.Sleep(2500 * time.Millisecond)
			done()
			if out.String() != want {
				t.Errorf("got %q, want %q", out.String(), want)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		done := working(&out, "npm", false)
		time.Sleep(seldom + time.Second)
		done()
		if want := "npm\nnpm (15 s)\n"; out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}

func TestADumbTerminalAndAFileHaveNoLineThatChanges(t *testing.T) {
	dumb := func(string) string { return "dumb" }
	if rewrites(os.Stderr, dumb) || rewrites(new(bytes.Buffer), func(string) string { return "" }) {
		t.Error("a line would be rewritten")
	}
}

func TestWidthIsThatOfColumnsOrEighty(t *testing.T) {
	for columns, want := range map[string]int{"": 80, "132": 132, "0": 80, "-3": 80, "wide": 80} {
		if got := Width(new(bytes.Buffer), func(string) string { return columns }); got != want {
			t.Errorf("COLUMNS=%s: got %d, want %d", columns, got, want)
		}
	}
}

func TestCutShowsThatSomethingIsMissing(t *testing.T) {
	for _, row := range []struct {
		text  string
		width int
		want  string
	}{{"short", 5, "short"}, {"longer", 5, "long…"}, {"ééééé", 3, "éé…"}, {"x", 0, ""}, {"xy", -1, ""}, {"xy", 1, "…"}} {
		if got := Cut(row.text, row.width); got != row.want {
			t.Errorf("%q in %d columns: got %q, want %q", row.text, row.width, got, row.want)
		}
	}
}

func TestCountKnowsOneAndMany(t *testing.T) {
	for n, want := range map[int]string{0: "0 findings", 1: "1 finding", 2: "2 findings"} {
		if got := Count(n, "finding"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestReflowFillsParagraphsAndKeepsIndentedLines(t *testing.T) {
	const text = "one two\nthree four five\n\nList:\n  1   a line that is far too long\n  code()\nend"
	const want = "one two three\nfour five\n\nList:\n  1   a line\n      that is\n      far too\n      long\n  code()\nend"
	if got := Reflow(text, 14); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := Reflow("unbreakable", 3); got != "unbreakable" {
		t.Errorf("got %q", got)
	}
}
