package journal

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ccwire/ccwire/internal/recording"
)

// session plays a session with a log: the SDK writes in, the CLI out.
func session(t *testing.T, l *Log, in, out string) {
	t.Helper()
	s := l.Start("2.1.325", []string{"--verbose"}, "/work", []string{"HOME=/home/a", "ANTHROPIC_API_KEY=sk-1", "CLAUDE_CODE_ENTRYPOINT=sdk-py", "LANG=C"})
	if _, err := io.ReadAll(s.Reader(strings.NewReader(in))); err != nil {
		t.Fatal(err)
	}
	w, end := s.Writer(io.Discard)
	for i := range out {
		if _, err := w.Write([]byte{out[i]}); err != nil {
			t.Fatal(err)
		}
	}
	end()
	s.Asked([]byte(`{"model":"m"}`))
	s.Signal("INT")
	s.Exit(-1, "INT", "oh")
}

func TestEveryLineOfBothDirectionsIsNoted(t *testing.T) {
	var log Log
	session(t, &log, "{\"a\":1}\n\n{\"type\":\"user\"}", "one\ntwo\xff\nhalf")
	code := -1
	want := []Entry{
		{Dir: Header, Version: "2.1.325", Args: []string{"--verbose"}, Cwd: "/work",
			Env: map[string]string{"HOME": "/home/a", "ANTHROPIC_API_KEY": "[secret]", "CLAUDE_CODE_ENTRYPOINT": "sdk-py"}},
		{Dir: ToCLI, Line: `{"a":1}`},
		{Dir: ToCLI},
		{Dir: ToCLI, Line: `{"type":"user"}`, Unterminated: true},
		{Dir: EOF},
		{Dir: ToSDK, Line: "one"},
		{Dir: ToSDK, Line: "two\uFFFD", Base64: "dHdv/w=="},
		{Dir: ToSDK, Line: "half", Unterminated: true},
		{Dir: API, Number: 1, Line: `{"model":"m"}`},
		{Dir: Signal, Line: "INT"},
		{Dir: Exit, Code: &code, Signal: "INT", Stderr: "oh"},
	}
	got := log.Entries()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Entry{}, "At", "Time", "Key")); diff != "" {
		t.Error(diff)
	}
	for i := 1; i < len(got); i++ {
		if got[i].At < got[i-1].At {
			t.Errorf("entry %d is before the one before it", i)
		}
	}
}

func TestJournalIsARecordingThatCanBeReadAgain(t *testing.T) {
	var b bytes.Buffer
	log := New(&b)
	session(t, log, "{\"a\":\"<b>\"}\n", "{}\n")
	if err := log.Err(); err != nil {
		t.Fatal(err)
	}
	again, err := Read(bytes.NewReader(b.Bytes()))
	if err != nil || len(again) != 7 || len(log.Entries()) != 0 {
		t.Errorf("%d entries were read, and %d are in memory: %v", len(again), len(log.Entries()), err)
	}
	entries, err := recording.Read(&b)
	if err != nil || len(entries) != len(again) || entries[1].Line != `{"a":"<b>"}` {
		t.Errorf("as a recording: %v, %v", entries, err)
	}
	if _, err := Read(strings.NewReader("{}\nno")); err == nil || !strings.Contains(err.Error(), "entry 2") {
		t.Errorf("a broken log: %v", err)
	}
}

func TestLongLinesAreCut(t *testing.T) {
	var log Log
	session(t, &log, strings.Repeat("x", maxLine+1)+"\n", "")
	if e := log.Entries()[1]; e.Truncated != maxLine+1 || len(e.Line) != headLine {
		t.Errorf("%d of %d bytes", len(e.Line), e.Truncated)
	}
}

func TestSessionsThatShareALogAreToldApartByTheirKeys(t *testing.T) {
	var log Log
	one, two := log.Start("", nil, "/one", nil), log.Start("", nil, "/two", nil)
	for range 2 {
		one.Asked([]byte(`{"of":"one"}`))
		two.Asked([]byte(`{"of":"two"}`))
	}
	type request struct {
		Line   string
		Number int
	}
	of := map[string][]request{}
	dirs := map[string]string{}
	for _, e := range log.Entries() {
		if e.Dir == Header {
			dirs[e.Key] = e.Cwd
		} else {
			of[dirs[e.Key]] = append(of[dirs[e.Key]], request{e.Line, e.Number})
		}
	}
	want := map[string][]request{
		"/one": {{`{"of":"one"}`, 1}, {`{"of":"one"}`, 2}},
		"/two": {{`{"of":"two"}`, 1}, {`{"of":"two"}`, 2}},
	}
	if diff := cmp.Diff(want, of); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
