package schemaedit

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording/evidence"
	"github.com/ccwire/ccwire/schema"
)

// history returns what UpdateHistory makes of a file "a/x.json" with this text after its $id.
func history(t *testing.T, text string, seen map[string]evidence.History) string {
	t.Helper()
	head := "{\n  \"$schema\": \"" + schema.Draft + "\",\n  \"$id\": \"" + schema.Base + "a/x.json\",\n"
	dir := t.TempDir()
	file := filepath.Join(dir, "a", "x.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(head+text), 0o644); err != nil {
		t.Fatal(err)
	}
	changed, err := UpdateHistory(dir, seen)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if differs := string(got) != head+text; differs != slices.Contains(changed, "a/x.json") {
		t.Errorf("it says that it changed %q", changed)
	}
	if again, err := UpdateHistory(dir, seen); err != nil || len(again) > 0 {
		t.Errorf("the second time it changes %q, %v", again, err)
	}
	return string(got[len(head):])
}

func TestUpdateHistoryWritesWhatWasSeen(t *testing.T) {
	const long = "A description that is so long that nothing else has any room on the line after it, so it is broken up."
	for _, tt := range []struct {
		name, before, after string
		seen                *evidence.History
	}{
		{"seen", `  "description": "D",
  "x-evidence": "declared",
  "type":   "string"
}`, `  "description": "D",
  "x-since": "1.0.0",
  "x-evidence": "observed",
  "type":   "string"
}`, &evidence.History{Since: "1.0.0", Evidence: "observed"}},
		{"seen earlier", `  "x-since": "2.0.0", "x-evidence": "observed",
  "type": "string"
}`, `  "x-since": "1.0.0", "x-evidence": "observed",
  "type": "string"
}`, &evidence.History{Since: "1.0.0", Evidence: "observed"}},
		{"not seen any more", `  "x-since": "2.0.0",
  "x-evidence": "observed",
  "type": "object", "properties": {"a": {"x-evidence": "declared", "type": "string"}, "b": {"x-since": "2.0.0", "x-required-since": "2.0.0", "type": "string"}}
}`, `  "x-evidence": "declared",
  "type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}
}`, nil},
		{"said by hand, and not seen", `  "x-since": "2.0.0", "x-evidence": "recognised",
  "type": "string"
}`, `  "x-since": "2.0.0", "x-evidence": "recognised",
  "type": "string"
}`, nil},
		{"a legacy shape that was seen", `  "x-evidence": "legacy",
  "type": "object", "properties": {"a": {}}
}`, `  "x-since": "1.0.0",
  "x-evidence": "legacy",
  "type": "object", "properties": {"a": {}}
}`, &evidence.History{Since: "1.0.0", Evidence: "observed"}},
		{"members", `  "x-since": "1.0.0",
  "x-evidence": "observed",
  "type": "object",
  "properties": {
    "plain": {"type": "string"},
    "late": {"$ref": "#/$defs/S"},
    "needed": {
      "description": "D",
      "type": "string"
    },
    "never": {},
    "described": {"x-evidence": "described", "type": "string"},
    "found": {"x-evidence": "declared", "type": "string"},
    "long": {"description": "` + long + `", "type": "string"}
  },
  "$defs": {"S": {"type": "string"}}
}`, `  "x-since": "1.0.0",
  "x-evidence": "observed",
  "type": "object",
  "properties": {
    "plain": {"type": "string"},
    "late": {"x-since": "2.0.0", "$ref": "#/$defs/S"},
    "needed": {
      "description": "D",
      "x-since": "1.0.9",
      "x-required-since": "2.0.0",
      "type": "string"
    },
    "never": {"x-evidence": "declared"},
    "described": {"x-evidence": "described", "type": "string"},
    "found": {"type": "string"},
    "long": {
      "description": "` + long + `",
      "x-since": "2.0.0",
      "type": "string"
    }
  },
  "$defs": {"S": {"type": "string"}}
}`, &evidence.History{Since: "1.0.0", Evidence: "observed", Members: map[string]evidence.MemberHistory{
			"plain": {}, "late": {Since: "2.0.0"}, "needed": {Since: "1.0.9", RequiredSince: "2.0.0"}, "found": {}, "long": {Since: "2.0.0"},
		}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seen := map[string]evidence.History{}
			if tt.seen != nil {
				seen["a/x.json"] = *tt.seen
			}
			if diff := cmp.Diff(tt.after, history(t, tt.before, seen)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestSetWordKeepsTheOrderOfTheKeywords(t *testing.T) {
	for _, tt := range []struct{ name, before, word, value, after string }{
		{"into an empty object", `{}`, "x-since", "1.0.0", `{"x-since": "1.0.0"}`},
		{"in front", `{"type": "string"}`, "x-since", "1.0.0", `{"x-since": "1.0.0", "type": "string"}`},
		{"after the description", `{"description": "a", "x-evidence": "declared"}`, "x-since", "1.0.0", `{"description": "a", "x-since": "1.0.0", "x-evidence": "declared"}`},
		{"after x-since", `{"x-since": "1.0.0", "type": "string"}`, "x-evidence", "declared", `{"x-since": "1.0.0", "x-evidence": "declared", "type": "string"}`},
		{"in place", `{"x-since":  "1.0.0"}`, "x-since", "2.0.0", `{"x-since":  "2.0.0"}`},
		{"away, the only one", `{"x-since": "1.0.0"}`, "x-since", "", `{}`},
		{"away, the last", `{"type": "string", "x-since": "1.0.0"}`, "x-since", "", `{"type": "string"}`},
		{"away, of a member whose name is escaped", `{"a\"b": {}, "x-since": "1.0.0", "type": "string"}`, "x-since", "", `{"a\"b": {}, "type": "string"}`},
		{"away, and not there", `{"type": "string"}`, "x-since", "", `{"type": "string"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := setWord([]byte(`{"p/q": `+tt.before+`}`), "/p~1q", tt.word, tt.value)
			if diff := cmp.Diff(`{"p/q": `+tt.after+`}`, string(got)); diff != "" || err != nil {
				t.Errorf("%v, -want +got\n%s", err, diff)
			}
		})
	}
	if _, err := setWord([]byte(`{}`), "/missing", "x-since", "1.0.0"); err == nil {
		t.Error("a place that does not exist is not an error")
	}
}
