package transcript

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/workspace"
)

// Sweep removes the sessions from the folder that an environment leads to whose working directory
// was a temporary one, and is gone.
func Sweep(environ []string) {
	place := workspace.New("", environ, "")
	start := workspace.Flat(place.TmpDir()) + "-"
	files, _ := filepath.Glob(filepath.Join(place.ConfigDir(), "projects", start+"*", "*.jsonl")) // none if the pattern is bad
	for _, file := range files {
		dir := worked(file)
		if dir == "" {
			continue
		}
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		all, _ := filepath.Glob(strings.TrimSuffix(file, ".jsonl") + "*") // the same
		for _, path := range all {
			_ = os.RemoveAll(path) // the next one tries again
		}
		_ = os.Remove(filepath.Dir(file)) // if it is empty now
	}
}

// worked returns the working directory of the session in a file, "" if that is not known.
func worked(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for range 10 { // the first entries have none
		if !lines.Scan() {
			break
		}
		v, _ := object.Parse(lines.Bytes()) // an entry that is not JSON has no folder
		if entry, ok := v.(object.Object); ok && entry.Text("cwd") != "" {
			return entry.Text("cwd")
		}
	}
	return ""
}
