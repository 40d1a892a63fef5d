// Package offline is the CLI of the examples where none is installed: the simulated one, with a
// script of what the model says in each example.
package offline

import (
	"context"
	"embed"
	"os"

	"github.com/ccwire/ccwire/internal/sim/program"
)

//go:embed scripts/*.json
var scripts embed.FS

// Script returns what the model says in an example.
func Script(example string) ([]byte, error) { return scripts.ReadFile("scripts/" + example + ".json") }

// Serve is the CLI in this process, with these arguments, and returns its exit code. No tool acts,
// and nothing of the user's is read or written: its home is a folder that lives as long as it does.
func Serve(script []byte, args []string) (code int, err error) {
	parsed, err := program.Parse("script", script)
	if err != nil {
		return 0, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	home, err := os.MkdirTemp("", "ccwire-example-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(home) // an empty one that is left does no harm
	p := program.Program{Script: parsed, NoTools: true}
	exit, err := p.Run(context.Background(), program.Streams{
		Args: args, Env: []string{"HOME=" + home}, Dir: dir, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	})
	return exit.Code, err
}
