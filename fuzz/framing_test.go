package fuzz_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/fuzz"
)

func TestTheReaderOfPackageCodecKeepsTheRules(t *testing.T) { fuzz.TestFraming(t, parse) }

// FuzzFraming holds the framer to the rules that other parsers are held to.
func FuzzFraming(f *testing.F) { fuzz.FuzzFraming(f, parse) }

func isObject(line []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) && json.Valid(line)
}

// eachLine yields the lines of a text that are objects, after f has seen them.
func eachLine(r io.Reader, yield func([]byte), f func(line []byte)) error {
	data, err := io.ReadAll(r)
	for line := range bytes.Lines(data) {
		line = bytes.TrimRight(line, "\r\n")
		f(line)
		if isObject(line) {
			yield(line)
		}
	}
	return err
}

// parsers are correct, or have a bug.
var parsers = map[string]fuzz.Parser{
	"correct": func(r io.Reader, yield func([]byte)) error { return eachLine(r, yield, func([]byte) {}) },

	// It returns an error for noise and goes on.
	"says noise": func(r io.Reader, yield func([]byte)) error {
		var noise error
		err := eachLine(r, yield, func(line []byte) {
			if !isObject(line) {
				noise = fmt.Errorf("not an object: %q", line)
			}
		})
		return errors.Join(err, noise)
	},
	"scanner": func(r io.Reader, yield func([]byte)) error {
		s := bufio.NewScanner(r)
		for s.Scan() {
			if isObject(s.Bytes()) {
				yield(s.Bytes())
			}
		}
		return s.Err()
	},
	"panics": func(r io.Reader, yield func([]byte)) error {
		return eachLine(r, yield, func(line []byte) { _ = line[0] })
	},
	"hangs": func(r io.Reader, yield func([]byte)) error {
		return eachLine(r, yield, func(line []byte) {
			for len(line) == 0 {
				r.Read(nil)
			}
		})
	},
	"loses what comes with the end": func(r io.Reader, yield func([]byte)) error {
		var data []byte
		for buf := make([]byte, 512); ; {
			n, err := r.Read(buf)
			if err != nil {
				return eachLine(bytes.NewReader(data), yield, func([]byte) {})
			}
			data = append(data, buf[:n]...)
		}
	},
}

const parserVariable = "CCWIRE_FUZZ_PARSER"

// TestFramingOfOneParser is run by the other tests, in a process of its own, since it must fail.
func TestFramingOfOneParser(t *testing.T) {
	p := parsers[os.Getenv(parserVariable)]
	if p != nil { // otherwise it is run with all others
		fuzz.TestFraming(t, p)
	}
}

// framingOf returns what go test prints of TestFraming with a parser, and whether it passes.
func framingOf(t *testing.T, parser string) (string, bool) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run", "^TestFramingOfOneParser$", fmt.Sprintf("-test.short=%t", testing.Short()))
	cmd.Env = append(os.Environ(), parserVariable+"="+parser)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func TestCorrectParsersPass(t *testing.T) {
	for _, parser := range []string{"correct", "says noise"} {
		t.Run(parser, func(t *testing.T) {
			if out, ok := framingOf(t, parser); !ok {
				t.Error(out)
			}
		})
	}
}

func TestAFailureNamesItsCauseAndRule(t *testing.T) {
	for _, test := range []struct {
		parser string
		want   []string
	}{
		{"scanner", []string{
			"--- FAIL: TestFramingOfOneParser/line_of_65536_bytes",
			`lost: 2 frames did not come out: line 2, "{\"n\":7,\"text\":\""`,
			"rule: A line has up to 12582912 bytes (12 MiB).",
			`stream (65553 bytes): "{\"n\":1}\n{\"n\":7,\"text\":\"" + 65519*"x" + "\"}\n{\"n\":2}\n"`,
			`returned the error "bufio.Scanner: token too long"`,
			`cause 1, first seen with "nesting of 100000": line-limit: lines of 65536 bytes and more: lost: `,
			" streams went wrong\n",
			" streams, first seen with \"nesting of 100000\":\n",
		}},
		{"panics", []string{
			"--- FAIL: TestFramingOfOneParser/blank_line ",
			`crash: it panicked: "panic: runtime error: index out of range [0] with length 0"`,
			"rule: Whatever is in a stream, a parser does not panic.",
			`stream (17 bytes): "{\"n\":1}\n\n{\"n\":2}\n"`,
			"framing_test.go:",
		}},
		{"hangs", []string{
			"--- FAIL: TestFramingOfOneParser/blank_line ",
			"hang: no end within the deadline",
			"rule: A parser ends when its stream ends.",
			"the parser hung with 3 streams",
			" streams were not tried, since the parser hung too often",
		}},
		{"loses what comes with the end", []string{
			"--- FAIL: TestFramingOfOneParser/one_frame ",
			"rule: Bytes that a read returns together with io.EOF count.",
			"the last bytes come together with io.EOF",
		}},
	} {
		t.Run(test.parser, func(t *testing.T) {
			if testing.Short() && test.parser == "hangs" {
				t.Skip("it waits for the deadline; make test-all runs it")
			}
			out, ok := framingOf(t, test.parser)
			if ok {
				t.Fatal("it passes")
			}
			for _, want := range test.want {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
			if strings.Contains(out, "goroutine ") {
				t.Errorf("the process died:\n%s", out)
			}
		})
	}
}
