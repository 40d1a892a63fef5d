package sim

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/sim/journal"
)

func TestAnEntryHasWhatThePrivateOneHas(t *testing.T) {
	code, at := 3, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	full := journal.Entry{
		Dir: journal.Exit, Key: "1-1", At: 1.5, Time: &at, Version: "2.1.325", Args: []string{"-p"}, Cwd: "/work", Env: map[string]string{"HOME": "/home"},
		Number: 1, Line: "a", Base64: "YQ==", Unterminated: true, Truncated: 9, Code: &code, Signal: "TERM", Stderr: "oh",
	}
	for i := range reflect.ValueOf(full).NumField() {
		if field := reflect.TypeOf(full).Field(i); reflect.ValueOf(full).Field(i).IsZero() {
			t.Errorf("%s is not set", field.Name)
		}
	}
	want, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(entries([]journal.Entry{full})[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestTheKindsOfEntriesAreThoseOfTheLog(t *testing.T) {
	for public, private := range map[Dir]journal.Dir{
		Header: journal.Header, API: journal.API, ToCLI: journal.ToCLI, ToSDK: journal.ToSDK, EOF: journal.EOF, Signal: journal.Signal, Fault: journal.Fault, Blocked: journal.Blocked, Exit: journal.Exit,
	} {
		if string(public) != string(private) {
			t.Errorf("%q, and the log has %q", public, private)
		}
	}
}

func TestAnEntryTellsTheTypeOfItsLine(t *testing.T) {
	for line, want := range map[string]string{`{"type":"user","a":1}`: "user", "half a li": "", `{"a":1}`: ""} {
		e := Entry{Line: line}
		if got := e.Type(); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
