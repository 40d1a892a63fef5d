//go:build languages

package languages

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the generated pieces into docs/languages.md")

const page = "../../docs/languages.md"

// checkPage compares the piece of the page between the markers of a language with generated code.
func checkPage(t testing.TB, language string, code ...string) {
	t.Helper()
	text := read(t, page)
	begin, end := "<!-- generated: "+language+" -->\n", "<!-- end -->\n"
	before, rest, ok := strings.Cut(text, begin)
	got, after, found := strings.Cut(rest, end)
	if !ok || !found {
		t.Fatalf("%s has no piece %q", page, begin)
	}
	want := "```" + language + "\n" + strings.Join(code, "\n") + "```\n"
	if got == want {
		return
	}
	if !*update {
		t.Errorf("%s does not show the generated %s (-page +generated); make languages UPDATE=-update writes it:\n%s", page, language, cmp.Diff(got, want))
		return
	}
	if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestPageNamesTheVersionsThatAreTested(t *testing.T) {
	text := read(t, page)
	for _, tool := range []struct{ file, pin, named string }{
		{"node/package.json", `"json-schema-to-typescript": "(.*)"`, "json-schema-to-typescript@%s "},
		{"python/requirements.txt", `(?m)^datamodel-code-generator==(.*)$`, "datamodel-code-generator==%s\n"},
		{"rust/generate/Cargo.toml", `typify-impl = "=(.*)"`, "typify %s "},
		{"rust/generate/Cargo.toml", `typify-impl = "=(.*)"`, "cargo-typify --version %s\n"},
	} {
		pin := regexp.MustCompile(tool.pin).FindStringSubmatch(read(t, tool.file))
		if pin == nil {
			t.Fatalf("%s does not match %s", tool.file, tool.pin)
		}
		if want := fmt.Sprintf(tool.named, pin[1]); !strings.Contains(text, want) {
			t.Errorf("%s does not name %q", page, want)
		}
	}
}
