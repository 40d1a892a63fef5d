package canonical_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/canonical"
	"github.com/ccwire/ccwire/internal/linestream"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

func format(t testing.TB, src io.Reader, maxLine int) (string, []int) {
	t.Helper()
	var out bytes.Buffer
	var lines []int
	if err := canonical.Format(&out, src, maxLine, func(line int, _ error) { lines = append(lines, line) }); err != nil {
		t.Fatal(err)
	}
	return out.String(), lines
}

func TestFormat(t *testing.T) {
	const interrupt = `{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}`
	long := strings.Repeat("x", 300)
	tests := []struct {
		name, input, want string
		problems          []int
	}{
		{"empty", "", "", nil},
		{"order and space", ` {"request" : {"subtype":"interrupt"}, "request_id":"1", "type":"control_request"} ` + "\r\n", interrupt + "\n", nil},
		{"no LF at the end", interrupt, interrupt + "\n", nil},
		{"unknown members stay", `{"x":1.0,"type":"keep_alive"}`, `{"type":"keep_alive","x":1.0}` + "\n", nil},
		{"unknown frame stays", `{"x":1,"type":"new"}` + "\n", `{"x":1,"type":"new"}` + "\n", nil},
		{"legacy", `{"type":"user","content":"hi"}`, `{"type":"user","message":{"role":"user","content":"hi"}}` + "\n", nil},
		{"noise", " warn \t\r\n\n \n[1 ]\n\xff\nend", " warn \t\r\n\n \n[1 ]\n\xff\nend", nil},
		{"undecodable", "{\"type\" :\r\n" + interrupt + "\n", "{\"type\" :\r\n" + interrupt + "\n", []int{1}},
		{"missing member", `{"type":"control_request", "request_id":"1"}`, `{"type":"control_request","request_id":"1"}` + "\n", nil},
		{"missing id", `{"type":"control_request", "request":{}}`, `{"type":"control_request", "request":{}}`, []int{1}},
		{"oversize", "{" + long + "\r\n" + interrupt + "\n{" + strings.Repeat(long, 100), "{" + long + "\r\n" + interrupt + "\n{" + strings.Repeat(long, 100), []int{1, 3}},
		{"recording",
			`{"dir":"header", "x" : 1}` + "\n" + `{"t":1, "dir":"sdk->cli", "line" : "{ \"type\":\"keep_alive\"}\n noise \n{"}` + "\nnoise\n",
			`{"dir":"header", "x" : 1}` + "\n" + `{"t":1, "dir":"sdk->cli", "line" : "{\"type\":\"keep_alive\"}\n noise \n{"}` + "\nnoise\n", []int{2, 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problems := format(t, strings.NewReader(tt.input), 200)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.problems, problems); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if again, _ := format(t, strings.NewReader(got), 200); again != got {
				t.Errorf("the second time gives %q", again)
			}
		})
	}
}

func TestRecordedLinesKeepTheirMeaning(t *testing.T) {
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	step := 1
	if testing.Short() {
		step = 10
	}
	for i, s := range sessions {
		if i%step > 0 {
			continue
		}
		name := s.Path
		var file bytes.Buffer
		if err := recording.Write(&file, s.Entries); err != nil {
			t.Fatal(err)
		}
		text := file.String()
		out, _ := format(t, strings.NewReader(text), 0)
		before, after := parts(t, text), parts(t, out)
		if len(before) != len(after) {
			t.Fatalf("%s: %d lines became %d", name, len(before), len(after))
		}
		for i := range before {
			if !reflect.DeepEqual(meaning(before[i]), meaning(after[i])) && !isLegacy(before[i]) {
				t.Errorf("%s: line\n%s\nbecame\n%s", name, before[i], after[i])
			}
		}
		if again, _ := format(t, strings.NewReader(out), 0); again != out {
			t.Errorf("%s changes the second time", name)
		}
	}
}

// meaning returns the value of a line, or the line itself if it is not JSON.
func meaning(line string) any {
	var v any
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		return line
	}
	return v
}

// isLegacy reports whether a line, or a part of it, is in a shape of old peers, which is the one
// thing that may change.
func isLegacy(line string) bool {
	legacy := false
	_, err := wire.DecodeFrame([]byte(line), &codec.Options{Report: func(d codec.Deviation) {
		legacy = legacy || d.Kind == codec.LegacyShape
	}})
	return err == nil && legacy
}

// parts lists the protocol lines of an input.
func parts(t testing.TB, text string) (all []string) {
	t.Helper()
	r := linestream.NewReader(strings.NewReader(text), linestream.Options{})
	for {
		l, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range l.Parts {
			all = append(all, string(p.Bytes))
		}
	}
}

func TestErrorsOfReadingAndWritingEndTheRun(t *testing.T) {
	broken := errors.New("broken")
	ignore := func(int, error) {}
	if err := canonical.Format(io.Discard, iotest.ErrReader(broken), 0, ignore); !errors.Is(err, broken) {
		t.Errorf("reading: got %v", err)
	}
	r, w := io.Pipe()
	r.CloseWithError(broken)
	for _, input := range []string{"noise\n", strings.Repeat("x", 100_000)} {
		if err := canonical.Format(w, strings.NewReader(input), 10, ignore); !errors.Is(err, broken) {
			t.Errorf("writing: got %v", err)
		}
	}
}

func TestLineReturnsTheErrorOfTheDecoder(t *testing.T) {
	_, err := canonical.Line([]byte(`{"type":"control_request","request_id":"7","request":{}`))
	var e *codec.Error
	if !errors.As(err, &e) || e.Kind != codec.Syntax || e.RequestID != "" {
		t.Errorf("got %v", err)
	}
}

func ExampleLine() {
	line, err := canonical.Line([]byte(`{ "request_id": "1", "request": {"subtype": "interrupt"}, "type": "control_request" }`))
	fmt.Println(string(line), err)
	// Output: {"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}} <nil>
}
