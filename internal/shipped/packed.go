//go:build packed

package shipped

import (
	_ "embed"
	"encoding/json"
	"io/fs"
	"sync"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/internal/gztext"
)

// packed is what [Pack] returns without the build tag. Package schemapack writes it before a release
// is built.
//
//go:embed packed.json.gz
var packed []byte

// texts are the groups of files by their names.
var texts = sync.OnceValue(func() (all map[string]map[string]string) {
	if err := json.Unmarshal(gztext.Must(packed), &all); err != nil {
		panic(err) // a release is run by a test
	}
	return all
})

// group returns what reads a group of files.
func group(name string) func() fs.FS {
	return sync.OnceValue(func() fs.FS {
		var archive txtar.Archive
		for path, text := range texts()[name] {
			archive.Files = append(archive.Files, txtar.File{Name: path, Data: []byte(text)})
		}
		fsys, err := txtar.FS(&archive)
		if err != nil {
			panic(err) // a release is run by a test
		}
		return fsys
	})
}

// The same as without the build tag.
var (
	Sources      = group(sources)
	Scenarios    = group(scenarios)
	SDKScenarios = group(sdkScenarios)
	DriverKits   = group(driverKits)
	Accepts      = group(accepts)
)

// History is what releases of the CLI answer to names.
func History() string { return texts()[tables][history] }

// FlagTable is the table of the CLI's flags.
func FlagTable() []byte { return []byte(texts()[tables][flagTable]) }
