package probe

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
	"github.com/ccwire/ccwire/transport/cli"
)

// writePackage writes the executable of a CLI.
func writePackage(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "claude")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// eventsBut returns the hook events that the newest version has, but for one.
func eventsBut(name string) (list []string) {
	v, err := cli.ParseVersion(corpus.Newest())
	if err != nil {
		panic(err)
	}
	for event, expected := range knownEvents(schema.Default(), v) {
		if expected && event != name {
			list = append(list, event)
		}
	}
	slices.Sort(list)
	return list
}

func TestNamesAreStringsKeysAndDeclaredFlags(t *testing.T) {
	for _, tt := range []struct{ name, text, words, flags string }{
		{"quoted", "x(\"one_name\",'two',`Three`)", "Three one_name two", ""},
		{"other quotes around", `x("one')`, "", ""},
		{"keys", `{PreToolUse:1,Stop:2;free:3}`, "PreToolUse Stop", ""},
		{"text", `"two words" "a.b" ""`, "", ""},
		{"too long", `"` + strings.Repeat("a", longestName+1) + `" "` + strings.Repeat("b", longestName) + `"`, strings.Repeat("b", longestName), ""},
		{"between other bytes", "\x00\xff\"a_b\"\x00", "a_b", ""},
		{"cut at the end", `"whole" "part`, "whole", ""},
		{"options", `p.option("--a-b <x>","t").option('-c, --cd',"t").requiredOption("--ef")`, "t", "--a-b --cd --ef"},
		{"constructors", "new Qx(\"--a-b <x>\") new $(`--c-d`) f(\"--e-f\")", "", "--a-b --c-d"},
		{"flags in a text", `"see --a-b" "--c-d"`, "", ""},
		{"far apart", `"one"` + strings.Repeat(" ", 3<<20) + `"two"`, "one two", ""},
		{"a long word", strings.Repeat("a", 3<<20) + `"two"`, "two", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := newNames()
			if err := n.scan(iotest.DataErrReader(iotest.HalfReader(strings.NewReader(tt.text)))); err != nil {
				t.Fatal(err)
			}
			got := []string{strings.Join(slices.Sorted(maps.Keys(n.words)), " "), strings.Join(slices.Sorted(maps.Keys(n.flags)), " ")}
			if diff := cmp.Diff([]string{tt.words, tt.flags}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNamesAreFoundWhereverABlockEnds(t *testing.T) {
	const text = `.option("-m, --model <m>");"a_request"`
	for shift := range len(text) + lookBack + longestName {
		n := newNames()
		if err := n.scan(strings.NewReader(strings.Repeat(" ", 1<<20-shift) + text)); err != nil {
			t.Fatal(err)
		}
		if !n.words["a_request"] || !n.flags["--model"] {
			t.Errorf("%d bytes before the end of a block: %v %v", shift, n.words, n.flags)
		}
	}
}

func TestAPackageIsTheExecutableAndTheFilesBesideIt(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"lib/package.json": "{}", "lib/cli.js": `"in_cli"`, "lib/other.js": `"beside"`, "lib/deep/more.js": `"below"`, "bin/other": `"stranger"`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "bin", "claude")
	if err := os.Symlink(filepath.Join(dir, "lib", "cli.js"), link); err != nil {
		t.Fatal(err)
	}
	n, err := readPackage(link)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]bool{"in_cli": true, "beside": true}, n.words); diff != "" {
		t.Error(diff)
	}
}
