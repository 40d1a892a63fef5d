package repotest

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
	// Data, as it is in the repository.
	{".", ""},

	// What other modules vendor: the standard library only. The CLI as a process knows nothing of
	// the wire.
	{"internal/jsontext", ""},
	{"codec", "internal/jsontext"},
	{"gen/wire/internal/run", "codec internal/jsontext"},
	{"gen/wire", "gen/wire/internal/run codec internal/jsontext"},
	{"internal/tail", ""},
	{"transport/cli", "internal/tail"},
	{"transport", "transport/cli internal/tail gen/wire codec"},
	{"transport/mcpserver", "transport codec"},
	{"transport/batch", "transport gen/wire"},

	{"internal/object", "internal/jsontext"},
	{"transport/sessions", "gen/wire codec internal/object"},
	{"internal/gztext", ""},
	{"schema", "codec internal/gztext internal/object internal/jsontext"},
	{"internal/shipped", ". internal/gztext"},
	{"internal/schemapack", "internal/gztext internal/shipped schema"},

	// What has no other package of ours below it.
	{"internal/ciformat", ""},
	{"internal/flaggen", ""},
	{"internal/clock", ""},
	{"internal/near", ""},
	{"internal/naming", "schema"},
	{"internal/npm", ""},
	{"internal/clienv", ""},
	{"internal/place", "internal/near"},
	{"internal/sandbox", "internal/clienv"},
	{"internal/shim", ""},
	{"internal/terminal", ""},
	{"internal/typings", ""},
	{"internal/jsontext/jsontest", ""},
	{"internal/peertest", "gen/wire codec"},
	{"internal/values", "schema internal/object internal/jsontext"},
	{"internal/buildinfo", "gen/wire internal/npm"},
	{"internal/fakeapi", "internal/clienv internal/clock internal/near internal/place"},

	// Lines and recordings, before anybody judges them.
	{"internal/recording", "gen/wire codec internal/object"},
	{"internal/recording/pack", "internal/gztext"},
	{"internal/recording/corpus", ". internal/recording internal/recording/pack"},
	{"internal/exchange/clean", "schema gen/wire codec"},
	{"internal/exchange", "internal/exchange/clean internal/recording schema gen/wire codec internal/jsontext"},
	{"internal/recording/evidence", "internal/exchange/clean internal/recording internal/recording/corpus schema"},
	{"internal/recording/inventory", "internal/exchange/clean internal/recording schema"},
	{"internal/linestream", "schema codec internal/jsontext internal/recording"},
	{"internal/linecheck", "internal/linestream internal/terminal internal/exchange/clean internal/exchange schema gen/wire codec"},
	{"internal/canonical", "internal/linestream gen/wire codec"},
	{"internal/scrub", "internal/linestream internal/recording schema codec internal/jsontext"},
	{"internal/tap", "internal/shim internal/linecheck internal/linestream internal/recording schema internal/jsontext"},
	{"internal/view", "internal/linecheck internal/linestream internal/terminal internal/exchange internal/recording schema codec"},
	{"internal/diff", "internal/recording internal/view internal/linestream internal/terminal"},
	{"internal/playback", "codec internal/recording internal/recording/inventory transport/cli"},

	// The simulated CLI knows no scenario and no judge.
	{"internal/sim/fault", "internal/near internal/object"},
	{"internal/sim/flags", ""},
	{"internal/sim/glob", ""},
	{"internal/sim/ids", ""},
	{"internal/sim/install", "internal/shim"},
	{"internal/sim/journal", ""},
	{"internal/sim/life", ""},
	{"internal/sim/release", "internal/gztext internal/object"},
	{"internal/sim/models", "internal/sim/release"},
	{"internal/sim/fence", ""},
	{"internal/sim/shell", "internal/sim/fence"},
	{"internal/sim/workspace", ""},
	{"internal/sim/structured", "internal/object"},
	{"internal/sim/host", "internal/sim/structured internal/object"},
	{"internal/sim/mcp", "internal/sim/fence internal/object"},
	{"internal/sim/script", "internal/clock internal/fakeapi internal/near internal/object internal/place"},
	{"internal/sim/settings", "internal/object"},
	{"internal/sim/template", "internal/sim/release internal/object internal/gztext"},
	{"internal/sim/conversation", "internal/fakeapi internal/object"},
	{"internal/sim/output", "internal/sim/ids internal/sim/release internal/object"},
	{"internal/sim/ledger", "internal/sim/models internal/object"},
	{"internal/sim/line", "internal/sim/release internal/object"},
	{"internal/sim/line/linetest", "internal/sim/line"},
	{"internal/sim/result", "internal/sim/ids internal/sim/ledger internal/sim/line internal/sim/output internal/object"},
	{"internal/sim/watch", "internal/sim/life"},
	{"internal/sim/checkpoint", "internal/sim/workspace internal/object"},
	{"internal/sim/extensions", "internal/sim/glob internal/sim/release internal/sim/template internal/sim/workspace internal/object"},
	{"internal/sim/calls", "internal/sim/ids internal/sim/output internal/object"},
	{"internal/sim/queue", "internal/sim/conversation internal/sim/ids internal/sim/output internal/object"},
	{"internal/sim/tasks", "internal/sim/line internal/sim/output internal/sim/queue internal/sim/workspace internal/object"},
	{"internal/sim/transcript", "internal/sim/ids internal/sim/line internal/sim/output internal/sim/release internal/sim/workspace internal/object"},
	{"internal/sim/permission", "internal/sim/glob internal/sim/shell internal/object"},
	{"internal/sim/tools", "internal/sim/fence internal/sim/glob internal/sim/shell internal/object"},
	{"internal/sim/hooks", "internal/sim/calls internal/sim/fence internal/sim/ids internal/sim/life internal/sim/output internal/sim/shell internal/object"},
	{"internal/sim/permit", "internal/sim/calls internal/sim/hooks internal/sim/ids internal/sim/life internal/sim/line internal/sim/output " +
		"internal/sim/permission internal/object"},
	{"internal/sim/servers", "internal/sim/calls internal/sim/conversation internal/sim/fence internal/sim/hooks internal/sim/ids internal/sim/life " +
		"internal/sim/mcp internal/sim/output internal/sim/shell internal/sim/workspace internal/object"},
	{"internal/sim/turn", "internal/sim/calls internal/sim/checkpoint internal/sim/conversation internal/sim/extensions internal/sim/flags " +
		"internal/sim/hooks internal/sim/host internal/sim/ids internal/sim/ledger internal/sim/life internal/sim/models " +
		"internal/sim/output internal/sim/permission internal/sim/queue internal/sim/result internal/sim/script internal/sim/tasks " +
		"internal/sim/tools internal/sim/transcript internal/sim/workspace internal/fakeapi internal/object"},
	{"internal/sim/tooluse", "internal/sim/conversation internal/sim/extensions internal/sim/hooks internal/sim/host internal/sim/ids internal/sim/ledger internal/sim/models " +
		"internal/sim/permission internal/sim/permit internal/sim/release internal/sim/script internal/sim/servers internal/sim/tasks internal/sim/template internal/sim/tools " +
		"internal/sim/turn internal/sim/workspace internal/fakeapi internal/object"},
	{"internal/sim/control", "internal/sim/life internal/sim/output internal/object"},
	{"internal/sim/requests", "internal/sim/checkpoint internal/sim/control internal/sim/conversation internal/sim/fence internal/sim/hooks internal/sim/host internal/sim/ids " +
		"internal/sim/ledger internal/sim/life internal/sim/line internal/sim/models internal/sim/permission internal/sim/permit " +
		"internal/sim/servers internal/sim/settings internal/sim/template internal/sim/tools internal/sim/tooluse internal/sim/transcript internal/sim/turn " +
		"internal/sim/workspace internal/fakeapi internal/object"},
	{"internal/sim", "internal/sim/calls internal/sim/checkpoint internal/sim/control internal/sim/conversation internal/sim/extensions " +
		"internal/sim/fence internal/sim/flags internal/sim/hooks internal/sim/host internal/sim/ids internal/sim/ledger internal/sim/life " +
		"internal/sim/models internal/sim/output internal/sim/permission internal/sim/permit internal/sim/queue internal/sim/release internal/sim/requests " +
		"internal/sim/result internal/sim/script internal/sim/servers internal/sim/settings internal/sim/shell internal/sim/structured internal/sim/tasks internal/sim/tools " +
		"internal/sim/tooluse internal/sim/transcript internal/sim/turn internal/sim/watch internal/sim/workspace internal/object"},
	{"internal/sim/program", "internal/fakeapi internal/sim internal/sim/transcript internal/sim/fault internal/sim/install internal/sim/journal internal/sim/release internal/sim/script internal/tail"},

	{"internal/sim/recorded", "internal/fakeapi internal/object internal/recording internal/sim/script"},

	{"internal/apirun", "internal/fakeapi internal/clienv internal/sandbox"},

	// The suite runs the CLI and judges lines; it does not stand on Conn and Session.
	{"internal/suite/scenario", "internal/shipped internal/fakeapi transport/cli"},
	{"internal/suite/laws", "internal/recording"},
	{"internal/suite/lines", ""},
	{"internal/suite", "internal/suite/laws internal/suite/lines internal/suite/scenario internal/exchange internal/exchange/clean internal/recording internal/recording/corpus " +
		"internal/sandbox internal/fakeapi transport/cli gen/wire schema codec"},
	{"internal/suite/times", "internal/suite internal/recording/corpus"},
	{"internal/suite/mixed", "internal/suite/scenario internal/fakeapi gen/wire"},
	{"internal/suite/broken", ""},
	{"internal/suite/differ", "internal/suite internal/suite/scenario internal/recording internal/recording/inventory internal/fakeapi"},
	{"internal/suite/replay", "internal/suite/lines internal/suite internal/suite/scenario internal/recording internal/recording/corpus transport/cli"},
	{"internal/suite/simtarget", "internal/suite internal/suite/scenario internal/sim internal/sim/release internal/sim/script internal/sandbox internal/tail transport/cli"},
	{"internal/suite/probe", "internal/shipped internal/flaggen internal/suite internal/suite/scenario internal/recording/corpus internal/terminal schema transport/cli"},
	{"internal/suite/sweep", "internal/suite internal/suite/scenario internal/terminal codec schema"},
	{"internal/history", "internal/shipped internal/recording/corpus internal/suite/probe schema transport/cli"},
	{"internal/history/bisect", ""},
	{"internal/accepts", "internal/shipped"},
	{"internal/suite/probe/accept", "internal/accepts internal/suite internal/suite/scenario internal/recording internal/recording/corpus " +
		"internal/fakeapi internal/object schema"},
	{"internal/suite/sdk/driver", "internal/tail codec"},
	{"internal/suite/sdk", "internal/shipped internal/accepts internal/suite internal/suite/scenario internal/suite/sdk/driver internal/exchange internal/sandbox " +
		"internal/sim/install internal/sim/journal internal/sim/program schema codec"},
	{"internal/suite/sdk/drivercheck", "internal/suite/sdk internal/suite/sdk/driver internal/sim/journal"},
	{"internal/suite/sdk/kit", "internal/shipped internal/suite/sdk"},
	{"internal/suite/sdk/brokensdk", "internal/suite/sdk/driver codec"},
	{"internal/suite/sdk/sdktest", "internal/suite/sdk internal/sim/program"},

	// What is made of recordings and reports.
	{"internal/recording/baseline", "internal/recording internal/recording/inventory internal/suite internal/suite/scenario"},
	{"internal/recording/capture", "internal/recording internal/recording/baseline internal/recording/corpus internal/suite internal/suite/scenario schema codec"},
	{"internal/recording/compat", "internal/recording internal/recording/corpus internal/recording/evidence internal/suite/scenario schema transport/cli"},
	{"internal/reports", "internal/ciformat internal/suite"},
	{"internal/drift", "internal/recording/inventory internal/suite/probe internal/terminal schema transport/cli"},
	{"internal/scoreboard/install", ""},
	{"internal/scoreboard", ""},
	{"internal/generator", "internal/naming schema"},
	{"internal/generator/schemaedit", "internal/recording/evidence schema internal/jsontext"},
	{"internal/vendoring/footprint", ""},
	{"internal/vendoring", "internal/buildinfo internal/generator internal/near schema"},

	{"internal/framing", "internal/ciformat"},
	{"internal/framing/internal/harness", ""},
	{"internal/framing/internal/planted", "codec"},
	{"internal/framing/internal/planted/run", "internal/framing/internal/harness internal/framing/internal/planted"},
	{"internal/framing/parsers", ""},
	{"internal/framing/parsers/run", "internal/framing/internal/harness codec"},
	{"internal/seeds", "internal/framing internal/gztext schema codec"},
	{"internal/framing/protocol", "internal/framing internal/seeds schema codec"},
	{"internal/packages/archive", ""},
	{"internal/packages/model", "internal/naming schema"},
	{"internal/packages", "internal/packages/archive internal/packages/model internal/buildinfo"},
	{"internal/packages/packagestest", "internal/packages internal/packages/model schema"},
	{"internal/packages/gomod", "internal/packages"},
	{"internal/packages/crate", "internal/packages internal/packages/archive internal/packages/model schema"},
	{"internal/packages/npm", "internal/packages internal/packages/archive internal/packages/model internal/object"},
	{"internal/packages/pypi", "internal/packages internal/packages/archive internal/packages/model"},
	{"internal/vectors", "schema codec internal/framing internal/recording internal/recording/corpus"},

	{"internal/manual/elide", "internal/object"},
	{"internal/manual/shown", "internal/manual/elide internal/gztext schema internal/recording internal/recording/corpus internal/recording/evidence internal/suite/scenario"},
	{"internal/manual", "internal/object internal/manual/shown internal/naming internal/recording/corpus schema"},
	{"internal/manual/sequence", "internal/manual internal/manual/elide internal/manual/shown internal/recording internal/recording/corpus internal/recording/inventory"},
	{"internal/manual/guide", "internal/manual internal/manual/sequence internal/suite/scenario internal/suite/sdk"},
	{"internal/manual/markdown", "internal/manual internal/manual/guide"},
	{"internal/manual/page", "internal/manual internal/manual/guide"},
	{"internal/manual/reading", "internal/manual internal/exchange internal/linecheck internal/near internal/terminal schema codec"},
	{"internal/manual/plain", "internal/manual internal/manual/reading internal/terminal"},

	// The doors.
	{"conformance/fakeapi", "internal/fakeapi"},
	{"conformance/driver", "internal/suite/sdk/driver"},
	{"conformance/sim", "internal/sim/fault internal/sim/install internal/sim/journal internal/sim/program internal/sim/script internal/tail transport transport/cli"},
	{"conformance", "conformance/driver conformance/sim internal/near internal/npm internal/recording/capture internal/reports internal/suite internal/suite/scenario " +
		"internal/suite/sdk internal/suite/simtarget transport/cli"},
	{"fuzz", "internal/framing internal/values schema"},

	{"internal/scoreboard/ccwire/...", "internal/scoreboard/ccwire conformance/driver transport transport/mcpserver gen/wire codec"},
	{"cmd/protogen/internal/regenerate", "internal/recording/evidence internal/recording/corpus internal/recording/pack internal/flaggen internal/generator internal/generator/schemaedit internal/typings schema"},
	{"cmd/protogen", "cmd/protogen/internal/regenerate internal/... transport/cli schema codec"},
	{"examples/internal/livetest", "transport internal/fakeapi internal/npm internal/sandbox"},
	{"examples/internal/offline", "conformance/sim transport/cli"},
	{"examples/try", "examples/internal/offline"},
	{"examples/...", "transport transport/batch transport/mcpserver gen/wire"},
	{"internal/adopt/before", ""},
	{"internal/adopt/after", "gen/wire codec"},
	{"internal/adopt", ""},
	{"internal/workshop", ""},
	{"internal/languages", ""},
	{"internal/browser", ""},
	{"internal/repotest", ""},
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
		if slices.Contains(p.Imports, module+"internal/suite/replay") {
			t.Errorf("%s imports the replay, which is for tests: the simulated CLI is internal/sim", p.name())
		}
	}
}

// vendored are the packages that other modules copy.
var vendored = []string{
	"gen/wire", "gen/wire/internal/run", "codec", "internal/jsontext",
	"transport", "transport/cli", "internal/tail",
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
