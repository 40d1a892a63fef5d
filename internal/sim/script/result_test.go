package script_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/sim/script"
)

func model(t *testing.T, text string) *script.Model {
	t.Helper()
	s, err := script.Parse("s.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := script.NewModel(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTheResultOfAToolIsChosenByItsInput(t *testing.T) {
	m := model(t, `{"tools": {
		"WebFetch": {"text": "a page of {{input.url}} by {{tool}}"},
		"Bash": [
			{"input": {"command": "ls"}, "times": 1, "text": "a.txt"},
			{"input": {"command": "ls"}, "text": "a.txt b.txt"},
			{"input": {"command": {"pattern": "^git "}}, "content": [{"type": "text", "text": "{{input.command}}"}], "is_error": true}
		]}}`)
	var got []string
	for _, use := range [][2]string{
		{"WebFetch", `{"url": "x"}`}, {"Bash", `{"command": "ls"}`}, {"Bash", `{"command": "ls"}`}, {"Bash", `{"command": "git log"}`},
		{"Bash", `{"command": "pwd"}`}, {"Read", `{}`},
	} {
		input := []byte(use[1])
		has := m.HasResult(use[0], input)
		r, ok := m.Result(use[0], input)
		if has != ok {
			t.Errorf("%v: HasResult is %v", use, has)
		}
		got = append(got, r.Text+string(r.Content))
	}
	want := []string{"a page of x by WebFetch", "a.txt", "a.txt b.txt", `[{"type": "text", "text": "git log"}]`, "", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestABadResultIsRefusedWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		`{"txt": "a"}`:                       `s.json:2:10: unknown member "txt"; did you mean text?`,
		`[{"text": "a"}, {"inputs": {}}]`:    `s.json:2:26: unknown member "inputs"; did you mean input?`,
		`{"input": "ls"}`:                    "s.json:2:1: tools: Bash: input: is not an object",
		`{"text": "{{inptu}}"}`:              "did you mean {{input}}?",
		`{"text": "a", "content": []}`:       "has both text and content",
		`[{"text": "a"}, {"times": -1}]`:     "tools: Bash: result 2: times -1 is negative",
		`{"input": {"a": {"pattern": ")"}}}`: "tools: Bash: input: error parsing regexp",
	} {
		_, err := script.Parse("s.json", []byte("{\"tools\": {\n\"Bash\": "+text+"}}"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
