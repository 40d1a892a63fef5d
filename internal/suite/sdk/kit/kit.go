// Package kit writes what an SDK's repository needs to be judged: a driver to begin with, the
// configuration, an empty list of known failures and a workflow.
package kit

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/shipped"
	"github.com/ccwire/ccwire/internal/suite/sdk"
)

// root is the folder of the kits: LANG/FILE is copied as it is, LANG/template/FILE is the half that
// knows the SDK. A suffix .txt after .go is left out.
const root = "conformance/driver/kit"

// how says how a driver in a language is built and run from the folder that it is in.
var how = map[string]struct {
	build, driver string // with %s for the folder
	setup         string // the step of the workflow that installs the language
}{
	"go":     {"go build -o %[1]s/driver ./%[1]s", "%s/driver", "actions/setup-go@v6\n        with: {go-version: stable}"},
	"node":   {"", "node %s/driver.mjs", "actions/setup-node@v4\n        with: {node-version: lts/*}"},
	"python": {"", "python3 %s/driver.py", "actions/setup-python@v5\n        with: {python-version: \"3.x\"}"},
	"rust":   {"cargo build --manifest-path %s/Cargo.toml", "%s/target/debug/driver", ""},
}

// Languages returns the languages that there is a whole kit for.
func Languages() (list []string) {
	for lang := range how {
		if names, err := files(lang); err == nil && len(names) > 0 {
			list = append(list, lang)
		}
	}
	slices.Sort(list)
	return list
}

// files returns the paths of the files of a kit; none if a half is missing. Drivers in Go have
// their core in a package.
func files(lang string) ([]string, error) {
	core, err := fs.Glob(shipped.DriverKits(), path.Join(root, lang, "*.*"))
	if err != nil {
		return nil, err
	}
	own, err := fs.Glob(shipped.DriverKits(), path.Join(root, lang, "template", "*"))
	if err != nil || len(own) == 0 || len(core) == 0 && lang != "go" {
		return nil, err
	}
	return append(core, own...), nil
}

// A Start is what is written for a language.
type Start struct {
	Files map[string][]byte // by name in the folder
	Build string            // the command that builds the driver; "" for none
}

// New returns what to write to a folder of a repository.
func New(lang, dir string) (*Start, error) {
	names, err := files(lang)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there is no kit for %q: give one of %s", lang, strings.Join(Languages(), ", "))
	}
	s := &Start{Files: map[string][]byte{}}
	for _, name := range names {
		text, err := fs.ReadFile(shipped.DriverKits(), name)
		if err != nil {
			return nil, err
		}
		s.Files[strings.TrimSuffix(path.Base(name), ".txt")] = text
	}
	dir = filepath.ToSlash(dir)
	h := how[lang]
	config, err := json.MarshalIndent(sdk.Config{Driver: fmt.Sprintf(h.driver, dir), KnownFailing: "known-failing.txt"}, "", "  ")
	if err != nil {
		return nil, err
	}
	s.Files["conform.json"] = append(config, '\n')
	s.Files["known-failing.txt"] = []byte(knownFailing)
	if h.build != "" {
		s.Build = fmt.Sprintf(h.build, dir)
	}
	s.Files["workflow.yml"] = []byte(workflow(h.setup, s.Build, path.Join(dir, "conform.json")))
	return s, nil
}

const knownFailing = `# What is known to fail, one on a line: AREA/NAME  # the reason
# "AREA/NAME sometimes  # the reason" may pass too.
# protogen conform sdk --write-known-failing writes it.
`

func workflow(setup, build, config string) string {
	var b strings.Builder
	b.WriteString("# Copy this file to .github/workflows/conformance.yml.\nname: conformance\non: [push, pull_request]\njobs:\n  sdk:\n" +
		"    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n")
	if setup != "" {
		b.WriteString("      - uses: " + setup + "\n")
	}
	if build != "" {
		b.WriteString("      - run: " + build + "\n")
	}
	b.WriteString("      - uses: ccwire/ccwire/.github/actions/conform-sdk@main\n        with:\n          config: " + config + "\n")
	return b.String()
}
