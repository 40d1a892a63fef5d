package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestBadInputIsAnInputErrorWithItsOffset(t *testing.T) {
	nested := func(n int) string { return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}` }
	tests := []struct {
		name, text string
		offset     int
		reason     string
	}{
		{"empty", ``, 0, "the text ends where a value should be"},
		{"plain text", `hello`, 0, `found 'h' where a value should be`},
		{"cut off", `{"type":"user"`, 14, "the text ends where a comma or the end of the object should be"},
		{"cut off in a string", `{"type":"us`, 11, "the text ends where the end of a string should be"},
		{"cut off after a comma", `{"a":1,`, 7, "the text ends where the name of a member should be"},
		{"comma too many", `{"a":[1,]}`, 8, `found ']' where a value should be`},
		{"no colon", `{"a" 1}`, 5, `found '1' where a colon should be`},
		{"trailing data", `{"a":1} {"b":2}`, 8, "data after the end of the value"},
		{"byte-order mark", "\ufeff{}", 0, `found '\ufeff' where a value should be`},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", 6, "invalid UTF-8"},
		{"raw newline in a string", "{\"a\":\"\n\"}", 6, "control character 0x0a in a string"},
		{"bad escape", `{"a":"\x"}`, 7, `found 'x' where an escape should be`},
		{"bad unicode escape", `{"a":"\u12G4"}`, 7, `bad \u escape`},
		{"leading zero", `{"a":01}`, 6, `found '1' where a comma or the end of the object should be`},
		{"bare minus", `{"a":-}`, 6, `found '}' where a digit should be`},
		{"member twice", `{"a":1,"b":2,"a":3}`, 13, `duplicate member "a"`},
		{"member twice, once escaped", `{"a":1,"\u0061":3}`, 7, `duplicate member "a"`},
		{"NUL", "{\"a\":\x00}", 5, `found '\x00' where a value should be`},
		{"array", ` [1,2]`, 1, "got an array, want an object"},
		{"string", `"abc"`, 0, "got a string, want an object"},
		{"null", `null`, 0, "got null, want an object"},
		{"too deep", nested(MaxDepth + 1), 1004, "arrays and objects are nested more than 1000 deep"},
		{"far too deep", nested(10_000), 1004, "arrays and objects are nested more than 1000 deep"},
		{"too long", `{"a":"` + strings.Repeat("x", 20<<20) + `"}`, MaxSize, "the document has 20971528 bytes, the limit is 16777216"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			begin := time.Now()
			err := Default().Open().ValidateFrame(Either, []byte(test.text))
			var got *InputError
			if !errors.As(err, &got) {
				t.Fatalf("got %v, want an *InputError", err)
			}
			if got.Offset != test.offset || got.Reason != test.reason {
				t.Errorf("got byte %d: %s, want byte %d: %s", got.Offset, got.Reason, test.offset, test.reason)
			}
			if spent := time.Since(begin); spent > 5*time.Second {
				t.Errorf("it took %v", spent)
			}
		})
	}
}

func TestDepthAtTheLimitIsFine(t *testing.T) {
	line := `{"type":"future","a":` + strings.Repeat("[", MaxDepth-1) + strings.Repeat("]", MaxDepth-1) + `}`
	if err := Default().Open().ValidateFrame(Either, []byte(line)); err != nil {
		t.Error(err)
	}
}

func TestOversizeInputIsNotCopied(t *testing.T) {
	line := []byte(`{"a":"` + strings.Repeat("x", 20<<20) + `"}`)
	Default().Open()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := Default().Open().ValidateFrame(Either, line); err == nil {
		t.Fatal("no error")
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes were allocated for a line past the limit", n)
	}
}

// Blocks inside blocks are the deepest nesting that the schemas describe: each level is a union.
func TestNestedUnionsTakeLinearTime(t *testing.T) {
	const levels = 300
	line := `{"type":"user","message":{"role":"user","content":` +
		strings.Repeat(`[{"type":"tool_result","tool_use_id":"t","content":`, levels) + `"x"` + strings.Repeat(`}]`, levels) + `}}`
	begin := time.Now()
	if err := Default().Open().ValidateFrame(FromSDK, []byte(line)); err != nil {
		t.Error(err)
	}
	if spent := time.Since(begin); spent > 5*time.Second {
		t.Errorf("it took %v", spent)
	}
}

func TestOfManyViolationsTheFirstAreReported(t *testing.T) {
	list := strings.Repeat("5,", 200_000) + "5"
	for name, line := range map[string]string{
		"list": `{"type":"user","message":{"role":"user","content":[` + list + `]}}`,
		"nested lists": `{"type":"user","message":{"role":"user","content":[` +
			strings.Repeat(`{"type":"tool_result","tool_use_id":"t","content":[5,5,5,5,5]},`, 10_000) + `5]}}`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := violations(t, Default().Open().ValidateFrame(FromSDK, []byte(line)))
		runtime.ReadMemStats(&after)
		if len(got) != MaxDeviations {
			t.Errorf("%s: %d violations, want %d", name, len(got), MaxDeviations)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 200<<20 {
			t.Errorf("%s: %d bytes were allocated for a line of %d", name, n, len(line))
		}
	}
}

func TestHugeNumbersAreCheap(t *testing.T) {
	set := small(t)
	for _, test := range []struct {
		literal string
		valid   bool
	}{
		{"1e999999999", true}, {"-1e1000000", true}, {"1e-999999999", false}, {"1.0", true}, {"1.50e1", true}, {"1.5", false},
		{"0e99999999999999999999", true}, {"1e99999999999999999999", true}, {"1e-99999999999999999999", false},
		{"10.0000000000000000000000001", false}, {"100000000000000000000000000000000.0", true}, {strings.Repeat("9", 1<<20), true},
	} {
		begin := time.Now()
		err := set.Open().Validate("s/frame.json", []byte(`{"type":"call","id":"1","args":[],"count":`+test.literal+`}`))
		if (err == nil) != test.valid {
			t.Errorf("%s as an integer: %v", clip(test.literal), err)
		}
		if spent := time.Since(begin); spent > time.Second {
			t.Errorf("%s took %v", clip(test.literal), spent)
		}
	}
}

func TestDifferentLoneSurrogatesAreDifferentNames(t *testing.T) {
	if err := scan([]byte(`{"\ud800":1,"\ud801":2,"\ud83d\ude00":3}`)); err != nil {
		t.Error(err)
	}
	if err := scan([]byte(`{"\ud83d\ude00":1,"😀":2}`)); err == nil {
		t.Error("the same name, once escaped, is not found")
	}
}

func FuzzScanAgreesWithEncodingJSON(f *testing.F) {
	for _, seed := range []string{`{}`, `[1,-0.5e+3,"\u00e9\\",true,null]`, `{"a":{"a":[]}}`, `{"a":1,"a":2}`, `01`, `"\ud800"`, ` 1 `, `1e`, `{"a":}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := scan(text)
		if err == nil && !json.Valid(text) {
			t.Errorf("%q passes", text)
		}
		if err != nil && json.Valid(text) && err.Limit == 0 && err.Reason != "invalid UTF-8" && !bytes.Contains([]byte(err.Reason), []byte("duplicate")) {
			t.Errorf("%q: %v", text, err)
		}
		if err != nil && (err.Offset < 0 || err.Offset > len(text)) {
			t.Errorf("%q: offset %d", text, err.Offset)
		}
	})
}
