package linecheck_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/schema"
)

const keepAlive = `{"type":"keep_alive"}` + "\n"

func TestALineOfASlowPipeIsJudgedBeforeTheNextOneComes(t *testing.T) {
	checker := linecheck.New(false)
	synctest.Test(t, func(t *testing.T) {
		in, pipe := io.Pipe()
		var lines []int
		flushed := 0
		done := make(chan error)
		go func() {
			r := linecheck.Run{
				Checker: checker,
				Stdin:   in,
				Emit:    func(f linecheck.Finding) error { lines = append(lines, f.Line); return nil },
				Idle:    func() error { flushed = len(lines); return nil },
			}
			_, err := r.Files([]string{"-"})
			done <- err
		}()
		for i := 1; i <= 3; i++ {
			for _, piece := range []string{keepAlive, "noi", "se\n"} {
				io.WriteString(pipe, piece) // the other end reads until the pipe is closed
			}
			synctest.Wait()
			if len(lines) != i || flushed != i || lines[i-1] != 2*i {
				t.Fatalf("after %d lines with an error: lines %d, %d of them flushed", i, lines, flushed)
			}
		}
		pipe.Close()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
}

func TestFindingsOfManyBlocksComeInTheOrderOfTheLines(t *testing.T) {
	const lines = 60_000
	var input strings.Builder
	for i := range lines {
		if i%7 == 0 {
			input.WriteString("noise\n")
		} else {
			input.WriteString(keepAlive)
		}
	}
	next, ticks := 1, 0
	r := linecheck.Run{
		Checker: linecheck.New(false),
		Stdin:   strings.NewReader(input.String()),
		Tick:    func() { ticks++ },
		Emit: func(f linecheck.Finding) error {
			if f.Line != next || f.File != "-" {
				return fmt.Errorf("%s:%d, want line %d", f.File, f.Line, next)
			}
			next += 7
			return nil
		},
	}
	sum, err := r.Files([]string{"-"})
	want := linecheck.Summary{Files: 1, Lines: lines, Invalid: (lines + 6) / 7, Findings: (lines + 6) / 7}
	if diff := cmp.Diff(want, sum); diff != "" || err != nil || ticks != lines {
		t.Errorf("%d ticks, %v, -want +got\n%s", ticks, err, diff)
	}
}

func TestFindingsPastTheLimitOfAFileAreCounted(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	const odd = `{"type":"keep_alive","x":1}` + "\n"
	many := write("many", strings.Repeat("noise\n", 100_000))
	mild := write("mild", "noise\n"+strings.Repeat(odd, 9))
	few := write("few", "noise\n\n"+keepAlive)
	tests := []struct {
		name    string
		file    string
		max     int
		emitted int
		last    linecheck.Finding
	}{
		{"more, in several blocks", many, 3, 4, linecheck.Finding{Severity: linecheck.Error, Deviation: codec.Deviation{Kind: codec.Omitted, Detail: "99997 more findings", Count: 99997}}},
		{"only lint is left", mild, 9, 10, linecheck.Finding{Severity: linecheck.Lint, Deviation: codec.Deviation{Kind: codec.Omitted, Detail: "1 more finding", Count: 1}}},
		{"not more", few, 2, 2, linecheck.Finding{Line: 2, Severity: linecheck.Lint, Deviation: codec.Deviation{Kind: codec.Noise, Detail: "blank line"}}},
		{"all", many, 0, 100_000, linecheck.Finding{Line: 100_000, Severity: linecheck.Error, Deviation: codec.Deviation{Kind: codec.Noise, Detail: `not a JSON object: "noise"`}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var found []linecheck.Finding
			r := linecheck.Run{
				Checker: linecheck.New(true),
				Max:     tt.max,
				Emit:    func(f linecheck.Finding) error { found = append(found, f); return nil },
			}
			sum, err := r.Files([]string{tt.file, few})
			if err != nil || len(found) != tt.emitted+2 {
				t.Fatalf("%d findings, want %d: %v", len(found), tt.emitted+2, err)
			}
			if tt.last.File = tt.file; found[tt.emitted-1] != tt.last {
				t.Errorf("the last one is %+v, want %+v", found[tt.emitted-1], tt.last)
			}
			if all := tt.emitted - 1 + max(tt.last.Count, 1) + 2; sum.Findings != all {
				t.Errorf("the summary counts %d, want %d", sum.Findings, all)
			}
		})
	}
}

func TestPrettyPrintedJSONIsRecognised(t *testing.T) {
	for _, tt := range []struct {
		name, input string
		want        bool
	}{
		{"brace alone", "\n{\n  \"type\": \"keep_alive\"\n}\n", true},
		{"object over lines", "{\"type\": \"user\",\n \"message\": {}}\n", true},
		{"recording", "{\n  \"dir\": \"header\"\n}\n", true},
		{"objects of objects", "{\n{\n", true},
		{"lines", keepAlive + "{\n\"a\"\n", false},
		{"cut off", `{"type":"keep_`, false},
		{"cut off, then lines", `{"type":` + "\n" + keepAlive, false},
		{"noise", "hello\n{\n  \"type\"\n", false},
		{"broken", "{]\n \"type\"\n", false},
		{"empty", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := 0
			r := linecheck.Run{
				Checker: linecheck.New(false),
				Stdin:   strings.NewReader(tt.input),
				Emit:    func(linecheck.Finding) error { return nil },
				Pretty:  func(string) { got++ },
			}
			if _, err := r.Files([]string{"-"}); err != nil || got > 1 || (got == 1) != tt.want {
				t.Errorf("%d times, %v", got, err)
			}
		})
	}
}

func TestErrorOfThePrinterEndsTheRunThoughTheInputIsSilent(t *testing.T) {
	checker := linecheck.New(false)
	synctest.Test(t, func(t *testing.T) {
		in, pipe := io.Pipe()
		full := errors.New("disk full")
		done := make(chan error)
		go func() {
			r := linecheck.Run{Checker: checker, Stdin: in, Emit: func(linecheck.Finding) error { return full }}
			_, err := r.Files([]string{"-"})
			done <- err
		}()
		io.WriteString(pipe, "noise\n")
		if err := <-done; !errors.Is(err, full) {
			t.Errorf("got %v", err)
		}
		pipe.Close() // ends the read that is under way
	})
}

func TestLongLinesOfAllSizesAreJudged(t *testing.T) {
	var input strings.Builder
	sizes := []int{1 << 10, 200 << 10, 3 << 20, 100, 17 << 20, 1 << 20, 40 << 20, 64 << 10}
	for _, n := range sizes {
		fmt.Fprintf(&input, `{"type":"user","message":{"role":"user","content":"%s"}}`+"\n", strings.Repeat("x", n))
	}
	var lines []int
	r := linecheck.Run{
		Checker: linecheck.New(false),
		Options: linestream.Options{Direction: schema.FromSDK},
		Stdin:   strings.NewReader(input.String()),
		Emit: func(f linecheck.Finding) error {
			if f.Kind != codec.Oversize {
				t.Errorf("line %d: %v", f.Line, f)
			}
			lines = append(lines, f.Line)
			return nil
		},
	}
	sum, err := r.Files([]string{"-"})
	if diff := cmp.Diff([]int{5, 7}, lines); diff != "" || err != nil || sum.Lines != len(sizes) {
		t.Errorf("%+v, %v, oversize lines -want +got\n%s", sum, err, diff)
	}
}

func TestRunTellsHowMuchOfTheInputsItHasRead(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	for name, text := range map[string]string{
		"lines":       strings.Repeat(`{"type":"keep_alive"}`+"\n", 20000),
		"no last LF":  `{"type":"keep_alive"}`,
		"a long line": `{"type":"keep_alive","x":"` + long + "\"}\n",
		"nothing":     "",
	} {
		read := int64(0)
		r := linecheck.Run{
			Checker: linecheck.New(true), Stdin: strings.NewReader(text), Options: linestream.Options{MaxLine: 1000},
			Emit:       func(linecheck.Finding) error { return nil },
			Unreadable: func(err error) { t.Error(err) },
			Read:       func(bytes int64) { read += bytes },
		}
		if _, err := r.Files([]string{"-"}); err != nil {
			t.Error(err)
		}
		if diff := int64(len(text)) - read; diff < -1 || diff > 1 { // a last line may lack its LF
			t.Errorf("%s: %d bytes, want %d", name, read, len(text))
		}
	}
}
