package probe

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAReportSaysWhatIsNewGoneAndUnclear(t *testing.T) {
	r := &Report{Version: "9.9.9", Findings: []Findings{
		{Kind: Request, Tried: 3, Recognised: []string{"a_b"}, New: []Finding{{"a_b", "error: `x`\x1b"}}, Gone: []string{"c_d"}},
		{Kind: HookEvent, Unclear: "why"},
		{Kind: Flag, Tried: 1, Recognised: []string{"--a"}, Limit: "Not all."},
	}}
	var text, markdown strings.Builder
	if err := r.Text(&text); err != nil {
		t.Fatal(err)
	}
	if err := r.Markdown(&markdown); err != nil {
		t.Fatal(err)
	}
	want := `What 9.9.9 recognises, and what the schemas say

control request: 3 names tried, 1 recognised
  recognised, and not in the schemas (1)
    a_b: error: ` + "`x`" + `\x1b
  in the schemas, and not recognised (1)
    c_d

hook event: cannot be told: why

flag: 1 name tried, 1 recognised, as in the schemas
  Not all.
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}
	want = "### What 9.9.9 recognises, and what the schemas say\n\n" +
		"**control request**: 3 names tried, 1 recognised\n\n" +
		"recognised, and not in the schemas (1):\n\n- `a_b`: `error: 'x'\\x1b`\n\n" +
		"in the schemas, and not recognised (1):\n\n- `c_d`\n\n" +
		"**hook event**: cannot be told: why\n\n" +
		"**flag**: 1 name tried, 1 recognised, as in the schemas\n\nNot all.\n"
	if diff := cmp.Diff(want, markdown.String()); diff != "" {
		t.Error(diff)
	}
	if r.Empty() || !(&Report{Findings: r.Findings[1:]}).Empty() {
		t.Error("Empty is wrong")
	}
}
