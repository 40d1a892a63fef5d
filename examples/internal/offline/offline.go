// Package offline is the CLI of the examples where none is installed: the simulated one, with a
// script of what the model says in each example.
package offline

import (
	"embed"
	"path/filepath"

	"github.com/ccwire/ccwire/conformance/sim"
	"github.com/ccwire/ccwire/transport/cli"
)

//go:embed scripts/*.json
var scripts embed.FS

// Script returns what the model says in an example.
func Script(example string) ([]byte, error) { return scripts.ReadFile("scripts/" + example + ".json") }

// Install makes this program the CLI of an example: it returns the variables to add to the
// environment of the example. No tool acts, and nothing of the user's is read or written: what the
// CLI keeps is in the folder.
func Install(dir string, script []byte) (env []string, err error) {
	simulated, err := sim.New(script)
	if err != nil {
		return nil, err
	}
	simulated.NoTools = true
	path, err := simulated.Install(dir)
	if err != nil {
		return nil, err
	}
	return []string{cli.EnvVar + "=" + path, "CLAUDE_CONFIG_DIR=" + filepath.Join(dir, "config")}, nil
}
