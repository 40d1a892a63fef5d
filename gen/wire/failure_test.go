package wire_test

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/schema"
)

// A failure is a line that no mode accepts.
type failure struct {
	name, line string
	want       codec.ErrorKind
	path       string
	offset     int
	requestID  string
}

// at returns the offset of a part of the line.
func at(line, part string) int { return strings.Index(line, part) }

// fails checks the error of the tolerant and of the strict mode, and that the lint refuses the line
// too.
func fails(t *testing.T, rows []failure) {
	t.Helper()
	var d wire.Decoder
	for _, f := range rows {
		t.Run(f.name, func(t *testing.T) {
			for _, o := range []*codec.Options{nil, strict()} {
				d.Options = o
				_, err := d.Decode([]byte(f.line))
				e := decodeError(t, err)
				got := failure{f.name, f.line, e.Kind, e.Path, e.Offset, e.RequestID}
				if diff := cmp.Diff(f, got, cmp.AllowUnexported(failure{})); diff != "" {
					t.Errorf("%v: %s", e, diff)
				}
				if _, err := d.Decode([]byte(`{"type":"keep_alive"}`)); err != nil {
					t.Errorf("the next line: %v", err)
				}
			}
			findings, err := schema.Default().Lint("envelope/frame.json", []byte(f.line))
			if err == nil && len(findings) == 0 {
				t.Error("the lint takes it")
			}
		})
	}
}

func TestTagsAndTheIDsOfRequestsMustBeThere(t *testing.T) {
	noID := `{"type":"control_request","request":{"subtype":"interrupt"}}`
	noAnswer := `{"type":"control_response"}`
	noAnswerID := `{"type":"control_response","response":{"subtype":"error","error":"e"}}`
	badID := `{"type":"control_cancel_request","request_id":7}`
	badSubtype := `{"type":"system","subtype":7}`
	fails(t, []failure{
		{"id of a request", noID, codec.Missing, "/request_id", 0, ""},
		{"response of an answer", noAnswer, codec.Missing, "/response", 0, ""},
		{"id of an answer", noAnswerID, codec.Missing, "/response/request_id", at(noAnswerID, `{"subtype"`), ""},
		{"id that is no string", badID, codec.WrongKind, "/request_id", at(badID, "7"), ""},
		{"subtype that is no string", badSubtype, codec.WrongKind, "/subtype", at(badSubtype, "7"), ""},
		{"type", `{"a":1}`, codec.Missing, "/type", 0, ""},
		{"type that is no string", `{"type":1}`, codec.WrongKind, "/type", 8, ""},
		{"no object", `[1]`, codec.WrongKind, "", 0, ""},
	})
}

func TestBrokenTextIsAnErrorWithItsOffset(t *testing.T) {
	deep := `{"type":"keep_alive","x":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`
	fails(t, []failure{
		{"end of the line", `{"type":"keep_alive"`, codec.Syntax, "", 20, ""},
		{"nothing", ``, codec.Syntax, "", 0, ""},
		{"rest after the frame", `{"type":"keep_alive"} x`, codec.Syntax, "", 22, ""},
		{"control character", "{\"type\":\"user\",\"uuid\":\"a\x01b\"}", codec.Syntax, "/uuid", 24, ""},
		{"bad escape", `{"type":"user","uuid":"\x"}`, codec.Syntax, "/uuid", 23, ""},
		{"bad UTF-8", "{\"type\":\"user\",\"uuid\":\"a\xff\"}", codec.BadUTF8, "/uuid", 24, ""},
		{"surrogate in UTF-8", "{\"type\":\"user\",\"uuid\":\"\xed\xa0\x80\"}", codec.BadUTF8, "/uuid", 23, ""},
		{"leading zero", `{"type":"tool_progress","elapsed_time_seconds":01}`, codec.Syntax, "/elapsed_time_seconds", 47, ""},
		{"request", `{"type":"control_request","request_id":"r","request":{"subtype":"interrupt","subtype":"interrupt"}}`, codec.Duplicate, "/request/subtype", 86, "r"},
	})
	t.Run("nesting", func(t *testing.T) {
		for _, o := range []*codec.Options{nil, {Strict: true}, {MaxDepth: 5}} {
			_, err := wire.DecodeFrame([]byte(deep), o)
			if e := decodeError(t, err); e.Kind != codec.TooDeep && e.Kind != codec.NotAllowed {
				t.Error(err)
			}
		}
		if _, err := wire.DecodeFrame([]byte(deep), &codec.Options{MaxDepth: 1001}); err != nil {
			t.Error(err)
		}
	})
}

func TestAMemberThatStandsTwiceIsAnError(t *testing.T) {
	for _, line := range []string{
		`{"type":"keep_alive","type":"keep_alive"}`,
		`{"type":"keep_alive","t\u0079pe":"keep_alive"}`,
		`{"type":"keep_alive","new":1,"new":2}`,
		`{"new":1,"new":2,"type":"keep_alive"}`,
		`{"type":"control_request","request_id":"r","request_id":"r","request":{"subtype":"interrupt"}}`,
		`{"type":"update_environment_variables","variables":{"A":"1","A":"2"}}`,
		canUse + `,"description":7,"description":"d"}}`,
	} {
		_, err := wire.Decode([]byte(line))
		if e := decodeError(t, err); e.Kind != codec.Duplicate {
			t.Errorf("%s: %v", line, e)
		}
		if _, err := wire.DecodeFrame([]byte(line), strict()); err == nil {
			t.Errorf("%s: strict takes it", line)
		}
	}
}

func TestAMemberThatStandsTwiceInsideAPayloadIsAnErrorOfTheStrictMode(t *testing.T) {
	line := `{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"T","input":{"a":[{"b":1,"\u0062":2}]},"tool_use_id":"t"}}`
	_, err := wire.DecodeFrame([]byte(line), strict())
	if e := decodeError(t, err); e.Kind != codec.Duplicate || e.Path != "/request/input/a/0/b" || e.RequestID != "r" {
		t.Errorf("got %v", e)
	}
	frame, err := wire.Decode([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := wire.Append(nil, frame); err != nil || string(out) != line {
		t.Errorf("%s, %v", out, err)
	}
}

func TestNoiseAndLongLinesNeverStopTheStream(t *testing.T) {
	stream := "\n \t\n{\"type\":\"keep_alive\"}\r\n\xef\xbb\xbf{\"type\":\"keep_alive\"}\nDebugger attached.\n[1]\n{\"type\":\"" +
		strings.Repeat("x", 100) + "\"}\n{broken\n{\"type\":\"keep_alive\"}"
	reader := codec.NewReader(strings.NewReader(stream), &codec.ReaderOptions{MaxLine: 64})
	var kinds []codec.LineKind
	var errs []bool
	for {
		f, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, f.Kind)
		if f.Kind == codec.OversizeLine && f.Len != 111 {
			t.Errorf("the length is %d", f.Len)
		}
		if f.Kind == codec.ObjectLine {
			_, err := wire.Decode(f.Bytes)
			errs = append(errs, err != nil)
		}
	}
	if diff := cmp.Diff([]codec.LineKind{codec.BlankLine, codec.BlankLine, codec.ObjectLine, codec.ObjectLine, codec.TextLine, codec.TextLine,
		codec.OversizeLine, codec.ObjectLine, codec.ObjectLine}, kinds); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]bool{false, false, true, false}, errs); diff != "" {
		t.Error(diff)
	}
}

func TestLintRefusesNoise(t *testing.T) {
	for _, line := range []string{"", " \t", "Debugger attached.", "[1]", "\xef\xbb\xbf{\"type\":\"keep_alive\"}"} {
		findings, err := schema.Default().Lint("envelope/frame.json", []byte(line))
		if err == nil && len(findings) == 0 {
			t.Errorf("%q is taken", line)
		}
	}
}
