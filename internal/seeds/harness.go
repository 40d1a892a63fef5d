package seeds

import (
	"embed"
	"os"
	"path/filepath"
)

// harnesses are programs that feed the inputs to a parser, one for each of some fuzzers.
//
//go:embed harness
var harnesses embed.FS

// writeHarnesses writes the harnesses to a folder, and returns how many files it wrote.
func writeHarnesses(dir string) (int, error) {
	files, err := harnesses.ReadDir("harness")
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	for n, f := range files {
		data, err := harnesses.ReadFile("harness/" + f.Name())
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, f.Name()), data, 0o666)
		}
		if err != nil {
			return n, err
		}
	}
	return len(files), nil
}
