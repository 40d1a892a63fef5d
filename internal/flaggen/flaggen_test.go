package flaggen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheTableIsSound(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "transport", "cli", "flags.json"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Flags) < 50 || len(table.LeftOut) < 10 {
		t.Errorf("only %d flags, and %d left out", len(table.Flags), len(table.LeftOut))
	}
	for _, f := range table.Flags {
		if f.Since[0] == '0' {
			t.Errorf("%s is since %s", f.Flag, f.Since)
		}
	}
}

const sound = `{"flags":[
	{"name":"Alpha","flag":"--alpha","since":"1.0.59","kind":"bool","doc":"Alpha is first."},
	{"name":"Beta","flag":"--beta","since":"2.0.0","kind":"int","zero":true,"hidden":true,"values":["a|b"],"doc":"Beta is second."}
],"leftOut":[{"flag":"--gamma","reason":"Is third."},{"flag":"--help","reason":"Prints."}]}`

func TestAnUnsoundTableIsRefused(t *testing.T) {
	if _, err := Parse([]byte(sound)); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, old, new, want string }{
		{"not JSON", `{"flags"`, `{"flags`, "invalid character"},
		{"unknown member", `"kind":"bool"`, `"kind":"bool","sort":"x"`, `unknown field "sort"`},
		{"unknown kind", `"kind":"bool"`, `"kind":"boole"`, `--alpha: no kind "boole"`},
		{"kind without a meaning for zero", `"kind":"bool"`, `"kind":"bool","zero":true`, `--alpha: no kind "bool"`},
		{"not a Go name", `"name":"Alpha"`, `"name":"alpha"`, `"alpha" is not the name of a field`},
		{"not a flag", `"--alpha"`, `"-alpha"`, "-alpha: not the name of a flag"},
		{"not a version", `"1.0.59"`, `"1.0"`, `"1.0" is not a version`},
		{"doc without a period", "is first.", "is first", "--alpha: the doc"},
		{"doc about another", "Alpha is", "It is", "--alpha: the doc"},
		{"duplicate name", `"name":"Beta"`, `"name":"Alpha"`, "--beta: duplicate"},
		{"duplicate flag", `"--beta"`, `"--alpha"`, "--alpha: duplicate"},
		{"left out, yet there", `"--gamma"`, `"--beta"`, "--beta: duplicate"},
		{"no reason", "Is third.", "", "--gamma: not a flag with a reason"},
		{"flags not sorted", `"--beta"`, `"--aaa"`, "not sorted"},
		{"left out not sorted", `"--gamma"`, `"--zeta"`, "not sorted"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(sound, test.old, test.new, 1)
			if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v, want %q", err, test.want)
			}
		})
	}
}

func TestFieldsAreDocumentedWithFlagAndVersion(t *testing.T) {
	table, err := Parse([]byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	source, err := table.GoFile()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\t// Alpha is first.\n\t// Flag --alpha, since 1.0.59.\n\tAlpha bool\n",
		"\t// Beta is second. Values: a|b.\n\t// Flag --beta, since 2.0.0.\n\tBeta *int\n",
		`{"Beta", "--beta", Version{2, 0, 0}, intPointerValue(f.Beta)},`,
	} {
		if !strings.Contains(string(source), want) {
			t.Errorf("no %q in\n%s", want, source)
		}
	}
	page := string(table.Markdown())
	for _, want := range []string{
		"| `Alpha` | `--alpha` | 1.0.59 | Alpha is first. |\n",
		"| `Beta` | `--beta` \\* | 2.0.0 | Beta is second. Values: `a\\|b`. |\n",
		"| `--gamma` | Is third. |\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}
