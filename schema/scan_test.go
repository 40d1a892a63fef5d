package schema

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
)

func TestBadInputIsAnErrorWithItsPlace(t *testing.T) {
	nested := func(n int) string { return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}` }
	tests := []struct {
		name, text string
		kind       codec.ErrorKind
		offset     int
		path       string
		want       string
	}{
		{"empty", ``, codec.Syntax, 0, "", "a value, found the end of the line"},
		{"plain text", `hello`, codec.Syntax, 0, "", "a value"},
		{"cut off", `{"type":"user"`, codec.Syntax, 14, "", "',' or '}', found the end of the line"},
		{"cut off in a string", `{"type":"us`, codec.Syntax, 11, "/type", `'"', found the end of the line`},
		{"cut off after a comma", `{"a":1,`, codec.Syntax, 7, "", "a member's name"},
		{"comma too many", `{"a":[1,]}`, codec.Syntax, 8, "/a", "a value"},
		{"no colon", `{"a" 1}`, codec.Syntax, 5, "/a", "':'"},
		{"trailing data", `{"a":1} {"b":2}`, codec.Syntax, 8, "", "the end of the line"},
		{"byte-order mark", "\ufeff{}", codec.Syntax, 0, "", "a value"},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", codec.BadUTF8, 6, "/a", "text that is UTF-8"},
		{"raw newline in a string", "{\"a\":\"\n\"}", codec.Syntax, 6, "/a", "no control character inside a string"},
		{"bad escape", `{"a":"\x"}`, codec.Syntax, 6, "/a", "a valid escape"},
		{"bad unicode escape", `{"a":"\u12G4"}`, codec.Syntax, 6, "/a", "a valid escape"},
		{"leading zero", `{"a":01}`, codec.Syntax, 5, "/a", "a number"},
		{"bare minus", `{"a":-}`, codec.Syntax, 5, "/a", "a number"},
		{"duplicate member", `{"a":1,"b":2,"a":3}`, codec.Duplicate, 17, "/a", "a member of this name is there already"},
		{"duplicate member, once escaped", `{"a":1,"\u0061":3}`, codec.Duplicate, 16, "/a", "a member of this name is there already"},
		{"duplicate member inside", `{"b":[{"a":1,"a":3}]}`, codec.Duplicate, 17, "/b/0/a", "a member of this name is there already"},
		{"NUL", "{\"a\":\x00}", codec.Syntax, 5, "/a", "a value"},
		{"array", ` [1,2]`, codec.WrongKind, 1, "", "want an object, got an array"},
		{"string", `"abc"`, codec.WrongKind, 0, "", "want an object, got a string"},
		{"null", `null`, codec.WrongKind, 0, "", "want an object, got null"},
		{"too deep", nested(MaxDepth + 1), codec.TooDeep, 1004, "/a" + strings.Repeat("/0", 999), "at most 1000 levels"},
		{"far too deep", nested(10_000), codec.TooDeep, 1004, "/a" + strings.Repeat("/0", 999), "at most 1000 levels"},
		{"too long", `{"a":"` + strings.Repeat("x", 20<<20) + `"}`, codec.TooLong, MaxSize, "", "it has 20971528 bytes, the limit is 16777216"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			begin := time.Now()
			err := Default().Open().ValidateFrame(Either, []byte(test.text))
			var got *codec.Error
			if !errors.As(err, &got) {
				t.Fatalf("got %v, want a *codec.Error", err)
			}
			want := &codec.Error{Kind: test.kind, Path: test.path, Offset: test.offset, Want: test.want}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
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
		if spent := time.Since(begin); spent > 10*time.Second { // much longer if it were written out
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
		if err != nil && json.Valid(text) && (err.Kind == codec.Syntax || err.Kind == codec.WrongKind) {
			t.Errorf("%q: %v", text, err)
		}
		if err != nil && (err.Offset < 0 || err.Offset > len(text)) {
			t.Errorf("%q: offset %d", text, err.Offset)
		}
	})
}
