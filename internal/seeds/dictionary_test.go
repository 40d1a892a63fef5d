package seeds

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// entry is a line of a dictionary: what both AFL and libFuzzer take.
var entry = regexp.MustCompile(`^([A-Za-z0-9_]+)="((?:[ !#-\[\]-~]|\\\\|\\"|\\x[0-9a-f]{2})+)"$`)

// parseDictionary reads a dictionary as AFL does.
func parseDictionary(t *testing.T, text string) (all []Token) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := entry.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("not an entry: %q", line)
			continue
		}
		value, err := strconv.Unquote(`"` + m[2] + `"`) // the escapes are some of those that Go has
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
		all = append(all, Token{m[1], value})
	}
	return all
}

func TestTheDictionaryReadsAsItsTokens(t *testing.T) {
	dir := t.TempDir()
	if _, err := Write(dir, Plain); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, Dictionary))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Tokens(), parseDictionary(t, string(text))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestEachTokenIsThereOnceAndNotTooLong(t *testing.T) {
	texts := map[string]bool{}
	for _, token := range Tokens() {
		if texts[token.Text] || token.Text == "" || len(token.Text) > 128 {
			t.Errorf("bad token %q", token)
		}
		texts[token.Text] = true
	}
}

func TestTokensAreOfTheProtocol(t *testing.T) {
	for _, want := range []Token{
		{"comma", ","}, {"line_separator", "\u2028"}, {"member_request_id", `"request_id"`},
		{"tag_subtype_interrupt", `"subtype":"interrupt"`}, {"value_bypassPermissions", `"bypassPermissions"`}, {"value_Bash", `"Bash"`},
	} {
		if !slices.Contains(Tokens(), want) {
			t.Errorf("no token %+v", want)
		}
	}
}
