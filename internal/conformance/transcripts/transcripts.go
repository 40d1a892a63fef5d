// Package transcripts is the corpus of transcript entries: what versions of the CLI kept of
// scenarios, one file for each, as protogen record --transcripts wrote them. A file has no whole
// session, but entries of all kinds.
package transcripts

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/conformance/recordings"
)

//go:embed *.jsonl
var files embed.FS

// Versions returns the versions with entries, the oldest first.
func Versions() (versions []string) {
	names, _ := fs.Glob(files, "*.jsonl") // the pattern is well formed
	for _, name := range names {
		versions = append(versions, strings.TrimSuffix(name, ".jsonl"))
	}
	slices.SortFunc(versions, recordings.Compare)
	return versions
}

// Entries returns the entries of a version, without line ends.
func Entries(version string) ([]string, error) {
	text, err := files.ReadFile(version + ".jsonl")
	if err != nil {
		return nil, fmt.Errorf("there are no transcript entries of %s: %w", version, err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), nil
}
