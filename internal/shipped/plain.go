//go:build !packed

package shipped

import (
	"encoding/json"
	"io/fs"

	"github.com/ccwire/ccwire"
	"github.com/ccwire/ccwire/internal/gztext"
)

// Sources are the files that a copy of the types is made of, see [ccwire.Sources].
func Sources() fs.FS { return ccwire.Sources }

// Scenarios are the scenarios for CLIs, see [ccwire.Scenarios].
func Scenarios() fs.FS { return ccwire.Scenarios }

// SDKScenarios are the scenarios for SDKs, see [ccwire.SDKScenarios].
func SDKScenarios() fs.FS { return ccwire.SDKScenarios }

// DriverKits are what drivers are begun with, see [ccwire.DriverKits].
func DriverKits() fs.FS { return ccwire.DriverKits }

// Accepts are what CLIs do with changed lines, see [ccwire.Accepts].
func Accepts() fs.FS { return ccwire.Accepts }

// History is what releases of the CLI answer to names, see [ccwire.History].
func History() string { return ccwire.History }

// FlagTable is the table of the CLI's flags, see [ccwire.FlagTable].
func FlagTable() []byte { return ccwire.FlagTable }

// Pack returns everything, compressed, as programs with the build tag packed have it.
func Pack() ([]byte, error) {
	all := map[string]map[string]string{tables: {flagTable: string(FlagTable()), history: History()}}
	for name, fsys := range map[string]fs.FS{
		sources: Sources(), scenarios: Scenarios(), sdkScenarios: SDKScenarios(), driverKits: DriverKits(), accepts: Accepts(),
	} {
		all[name] = map[string]string{}
		err := fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(fsys, path)
			all[name][path] = string(text)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	return gztext.Pack(data)
}
