package near

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSuggestionsAreFewAndTheNearestFirst(t *testing.T) {
	known := []string{"permission/allow", "permission/deny", "permission/deny-interrupt", "hook/deny", "2.1.90", "2.1.200", "2.1.250", "--json", "--junit"}
	for _, row := range []struct {
		word string
		want []string
	}{
		{"permision/deny", []string{"permission/deny"}},
		{"Permission/Deny", []string{"permission/deny"}},
		{"permission/deny-i", []string{"permission/deny", "permission/deny-interrupt"}},
		{"2.1.25", []string{"2.1.250"}},
		{"--jsn", []string{"--json"}},
		{"zzz", nil},
		{"", nil},
	} {
		got := Words(row.word, known)
		if len(got) > mostWords || len(row.want) == 0 && len(got) > 0 || len(row.want) > 0 && !cmp.Equal(got[:min(len(got), len(row.want))], row.want) {
			t.Errorf("%q: got %q, want %q first", row.word, got, row.want)
		}
	}
}

func TestEditsAreCounted(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "ab", 2}, {"abc", "abc", 0}, {"abc", "axc", 1}, {"abc", "ac", 1}, {"kitten", "sitting", 3}} {
		if got := edits(row.a, row.b); got != row.want {
			t.Errorf("%q, %q: got %d, want %d", row.a, row.b, got, row.want)
		}
	}
}
