package ccwire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/ccwire/ccwire/"

// A row says what a package may import of this module.
type row struct{ name, may string }

// picture is the house, from the ground up. A name that ends in "/..." stands for the packages
// below it too. docs/architecture.md draws it.
var picture = []row{
	// What other modules vendor: the standard library only.
	{"internal/jsontext", ""},
	{"codec", "internal/jsontext"},
	{"gen/wire/internal/run", "codec internal/jsontext"},
	{"gen/wire", "gen/wire/internal/run codec internal/jsontext"},

	{"schema", "codec internal/jsontext"},

	// The CLI as a process knows nothing of the wire.
	{"transport/internal/tail", ""},
	{"transport/cli", "transport/internal/tail"},
	{"transport", "transport/cli transport/internal/tail gen/wire codec"},
	{"transport/mcpserver", "transport codec"},

	// The suite runs the CLI and judges lines; it does not stand on Conn and Session.
	{"internal/terminal", ""},
	{"internal/conformance/npm", ""},
	{"internal/conformance/pending", ""},
	{"internal/conformance/recording", "internal/conformance/pending gen/wire codec"},
	{"internal/conformance/recordings", "internal/conformance/recording"},
	{"internal/conformance/clean", "schema gen/wire codec"},
	{"internal/conformance/exchange", "internal/conformance/clean internal/conformance/pending schema gen/wire codec internal/jsontext"},
	{"internal/conformance/sdk/driver", "codec"},
	{"internal/conformance/drivers/ccwire/...", "internal/conformance/drivers/ccwire internal/conformance/sdk/driver transport transport/mcpserver gen/wire codec"},
	{"internal/conformance/...", "internal/conformance/... internal/terminal transport/cli gen/wire schema codec"},
	{"transport/sim", "internal/conformance/sim/fault internal/conformance/sim/journal internal/conformance/sim/program transport transport/cli"},
	{"internal/fuzz/...", "internal/fuzz/... codec"},

	{"internal/jsontext/jsontest", ""},
	{"internal/generator", "schema"},
	{"internal/generator/schemaedit", "internal/conformance/evidence schema internal/jsontext"},
	{"internal/flaggen", ""},
	{"internal/typings", ""},
	{"internal/values", "schema"},
	{"internal/near", ""},
	{"internal/buildinfo", "gen/wire internal/conformance/npm"},
	{"internal/vendoring", "internal/buildinfo internal/generator internal/near schema"},
	{"internal/linestream", "schema codec internal/jsontext internal/conformance/recording"},
	{"internal/linecheck", "internal/linestream internal/terminal internal/conformance/clean internal/conformance/exchange schema gen/wire codec"},
	{"internal/scrub", "internal/linestream internal/conformance/recording schema codec internal/jsontext"},
	{"internal/tap", "internal/linecheck internal/linestream internal/conformance/recording schema internal/jsontext"},
	{"internal/view", "internal/linecheck internal/linestream internal/terminal internal/conformance/exchange internal/conformance/recording schema codec"},
	{"internal/canonical", "internal/linestream gen/wire codec"},
	{"internal/peertest", "gen/wire codec"},
	{"internal/vectors", "schema codec internal/fuzz/framing internal/conformance/recording internal/conformance/recordings"},

	{"internal/manual/shown", "schema internal/conformance/evidence internal/conformance/recording internal/conformance/recordings internal/conformance/scenarios internal/conformance/transcripts"},
	{"internal/manual", "internal/manual/shown internal/generator internal/conformance/recordings schema"},
	{"internal/manual/sequence", "internal/manual/shown internal/conformance/inventory internal/conformance/recording internal/conformance/recordings"},
	{"internal/manual/guide", "internal/manual internal/manual/sequence internal/conformance/scenarios"},
	{"internal/manual/markdown", "internal/manual internal/manual/guide"},
	{"internal/manual/page", "internal/manual internal/manual/guide"},
	{"internal/manual/reading", "internal/manual internal/conformance/exchange internal/linecheck internal/near internal/terminal schema codec"},
	{"internal/manual/plain", "internal/manual internal/manual/reading internal/terminal"},

	{"cmd/protogen/internal/regenerate", "internal/conformance/evidence internal/conformance/recordings internal/flaggen internal/generator internal/generator/schemaedit internal/typings schema"},
	{"cmd/protogen", ". cmd/protogen/internal/regenerate internal/conformance/... internal/fuzz/... transport/cli schema codec internal/generator " +
		"internal/buildinfo internal/canonical internal/flaggen internal/linecheck internal/linestream internal/manual internal/manual/... internal/near internal/terminal internal/vectors internal/vendoring internal/scrub internal/tap internal/view"},
	{"examples/internal/livetest", "transport internal/conformance/fakeapi internal/conformance/npm internal/conformance/sandbox"},
	{"examples/internal/offline", "internal/conformance/sim/program"},
	{"examples/try", "examples/internal/offline transport/cli"},
	{"examples/...", "transport transport/mcpserver gen/wire"},
	{"internal/languages", ""},
	{"internal/browser", ""},
	{".", ""},
}

// matches reports whether a package is one that the pattern names.
func matches(pattern, name string) bool {
	folder, below := strings.CutSuffix(pattern, "/...")
	return name == folder || below && strings.HasPrefix(name, folder+"/")
}

// allowed returns what the first row for a package lets it import.
func allowed(name string) (may []string, ok bool) {
	for _, row := range picture {
		if matches(row.name, name) {
			return strings.Fields(row.may), true
		}
	}
	return nil, false
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

// name returns the path of the package in the module, "." for its root.
func (p *goPackage) name() string { return inModule(p.ImportPath) }

func inModule(path string) string {
	if path+"/" == module {
		return "."
	}
	return strings.TrimPrefix(path, module)
}

// packages lists the module's packages.
func packages(t *testing.T) []goPackage {
	t.Helper()
	list, err := listed()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// listed is packages, asked for once for all tests.
var listed = sync.OnceValues(func() (list []goPackage, err error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(out))
	for {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
})

func TestImportsAreThoseOfThePicture(t *testing.T) {
	used := map[string]bool{}
	for _, p := range packages(t) {
		may, ok := allowed(p.name())
		if !ok {
			t.Errorf("the picture does not have %s", p.name())
			continue
		}
		for _, path := range p.Imports {
			if path+"/" != module && !strings.HasPrefix(path, module) {
				continue
			}
			i := slices.IndexFunc(may, func(pattern string) bool { return matches(pattern, inModule(path)) })
			if i < 0 {
				t.Errorf("%s imports %s, which the picture does not allow", p.name(), inModule(path))
			}
		}
		for _, row := range picture {
			used[row.name] = used[row.name] || matches(row.name, p.name())
		}
	}
	for _, row := range picture {
		if !used[row.name] {
			t.Errorf("the picture has %s, and the module does not", row.name)
		}
	}
}

// TestThePictureHasNoWayUp checks the table itself: what a package may import stands above it
// there, that is, nearer to the ground.
func TestThePictureHasNoWayUp(t *testing.T) {
	for i, r := range picture {
		for _, pattern := range strings.Fields(r.may) {
			below := slices.IndexFunc(picture[:i+1], func(r row) bool {
				return matches(pattern, strings.TrimSuffix(r.name, "/...")) || matches(r.name, pattern)
			})
			if below < 0 && pattern != "." {
				t.Errorf("%s may import %s, which is not below it", r.name, pattern)
			}
		}
	}
}

func TestOnlyTestsReplayRecordings(t *testing.T) {
	for _, p := range packages(t) {
		if slices.Contains(p.Imports, module+"internal/conformance/replay") {
			t.Errorf("%s imports the replay, which is for tests: the simulated CLI is internal/conformance/sim", p.name())
		}
	}
}

// vendored are the packages that other modules copy.
var vendored = []string{
	"gen/wire", "gen/wire/internal/run", "codec", "internal/jsontext",
	"transport", "transport/cli", "transport/internal/tail",
}

func TestWhatIsVendoredImportsTheStandardLibraryAlone(t *testing.T) {
	seen := 0
	for _, p := range packages(t) {
		if !slices.Contains(vendored, p.name()) {
			continue
		}
		seen++
		for _, path := range p.Imports {
			first, _, _ := strings.Cut(path, "/")
			if strings.Contains(first, ".") && !slices.Contains(vendored, inModule(path)) {
				t.Errorf("%s imports %s", p.name(), path)
			}
		}
	}
	if seen != len(vendored) {
		t.Errorf("%d of %d packages were looked at", seen, len(vendored))
	}
}
