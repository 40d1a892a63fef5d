package linestream

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// sameEntry fails unless the two readers of entries agree on a text, as far as the faster one takes
// it. It returns whether that does.
func sameEntry(t interface{ Fatalf(string, ...any) }, text []byte) bool {
	fast, ok := readUsual(text, nil)
	if !ok {
		return false
	}
	slow, err := readAny(text)
	if err != nil || fast.isEntry != slow.isEntry || fast.Dir != slow.Dir || fast.skip() != slow.skip() ||
		fast.start != slow.start || fast.end != slow.end || !bytes.Equal(fast.text, slow.text) {
		t.Fatalf("got %+v, want %+v, %v\n%s", fast, slow, err, text)
	}
	return true
}

func TestUsualEntriesAreReadAsAnyOthers(t *testing.T) {
	member := rapid.Custom(func(t *rapid.T) string {
		name := rapid.SampledFrom([]string{"dir", "line", "t_ms", "type", "line_b64", "truncated_from_chars", "Line", "DIR", "x",
			`d\u0069r`, "code", "stderr", "unterminated", "args"}).Draw(t, "name")
		value := rapid.SampledFrom([]string{`"cli->sdk"`, `"sdk->cli"`, `"header"`, `"a\nb"`, `"\ud800"`, `"\ud83d\ude00"`, `" {\"a\":1}"`, `""`,
			"1.5", "null", "true", `["a"]`, `{"a":1,"a":2}`, "\"\xff\"", "nul", `"`}).Draw(t, "value")
		return `"` + name + `" :` + value
	})
	object := rapid.Custom(func(t *rapid.T) []byte {
		begin := rapid.SampledFrom([]string{"{", `{"dir":"cli->sdk"`, `{"dir":"sdk->cli","line":"x\n"`}).Draw(t, "begin")
		text := []byte(begin)
		for _, m := range rapid.SliceOfN(member, 0, 4).Draw(t, "members") {
			if text[len(text)-1] != '{' {
				text = append(text, ", "...)
			}
			text = append(text, m...)
		}
		return append(text, rapid.SampledFrom([]string{"}", "}", "}", "", "} x", "]"}).Draw(t, "end")...)
	})
	usual := 0
	rapid.Check(t, func(t *rapid.T) {
		for range 50 {
			if sameEntry(t, object.Draw(t, "object")) {
				usual++
			}
		}
	})
	if usual == 0 {
		t.Error("no entry was usual")
	}
}

func TestRecordedEntriesAreUsualAndReadAsAnyOthers(t *testing.T) {
	names, err := filepath.Glob("../../conformance/recordings/*/*/*.ndjson")
	if err != nil || len(names) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	lines, usual := 0, 0
	for _, name := range names[:len(names)/4] {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			lines++
			if sameEntry(t, trim(line)) {
				usual++
			}
		}
	}
	if usual < lines*9/10 {
		t.Errorf("%d of %d entries are usual", usual, lines)
	}
}

func FuzzUsualEntriesAreReadAsAnyOthers(f *testing.F) {
	f.Add([]byte(`{"t_ms":1,"dir":"cli->sdk","line":"{\"type\":\"a\"}\n"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if sameEntry(t, text) && !json.Valid(text) {
			t.Error("it is not JSON")
		}
	})
}
