package scoreboard

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/transport"
)

// An optionTable says what is here in the place of the options of an SDK.
type optionTable map[string][]string // the cells after the name

// optionTables reads docs/options.md: the tables by the name of the type.
func optionTables(t *testing.T) map[string]optionTable {
	t.Helper()
	text, err := os.ReadFile("../../docs/options.md")
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]optionTable{}
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		head, rows, _ := strings.Cut(section, "\n")
		_, name, _ := strings.Cut(head, "`")
		table := optionTable{}
		for line := range strings.Lines(rows) {
			cells := strings.Split(strings.TrimSpace(line), " | ")
			option, ok := strings.CutPrefix(cells[0], "| `")
			if !ok {
				continue
			}
			if option = strings.TrimSuffix(option, "`"); len(cells) != 3 || table[option] != nil {
				t.Errorf("%s: the row of %s is not one of three cells, or there are two", head, option)
			}
			table[option] = cells[1:]
		}
		tables[strings.TrimSuffix(name, "`")] = table
	}
	return tables
}

func TestWhatIsInThePlaceOfAnOptionExists(t *testing.T) {
	types := map[string]reflect.Type{
		"Options": reflect.TypeFor[transport.Options](), "Flags": reflect.TypeFor[transport.Flags](), "Initialize": reflect.TypeFor[wire.InitializeRequest](),
	}
	name := regexp.MustCompile("`(Options|Flags|Initialize)\\.([A-Za-z]+)`")
	tables := optionTables(t)
	if len(tables) != 2 {
		t.Fatalf("docs/options.md has %d tables", len(tables))
	}
	for sdk, table := range tables {
		for option, cells := range table {
			found := name.FindAllStringSubmatch(cells[0], -1)
			for _, m := range found {
				if _, ok := types[m[1]].FieldByName(m[2]); !ok {
					t.Errorf("%s, %s: there is no %s", sdk, option, m[0])
				}
			}
			if len(found) == 0 && !strings.HasPrefix(cells[0], "none") && !strings.HasPrefix(cells[0], "the context") {
				t.Errorf("%s, %s: %q names nothing, and gives no reason", sdk, option, cells[0])
			}
		}
	}
}

// typedOptions returns the members of the type Options in the typings of the TypeScript SDK, whose
// lines end as on Windows.
func typedOptions(typings string) []string {
	_, text, _ := strings.Cut(strings.ReplaceAll(typings, "\r\n", "\n"), "export declare type Options = {\n")
	text, _, _ = strings.Cut(text, "\n};")
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^    (\w+)\??:`).FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

func TestTypedOptionsAreTheMembersOfTheType(t *testing.T) {
	typings := "export declare type Other = {\n    no: string;\n};\nexport declare type Options = {\n    /**\n     * text: of one\n     */\n    one?: {\n        inner: string;\n    };\n    two: string;\n};\nx\n"
	for _, text := range []string{typings, strings.ReplaceAll(typings, "\n", "\r\n")} {
		if got := typedOptions(text); !slices.Equal(got, []string{"one", "two"}) {
			t.Errorf("%q", got)
		}
	}
}
