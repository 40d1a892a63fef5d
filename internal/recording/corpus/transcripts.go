package corpus

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire"
	"github.com/ccwire/ccwire/internal/recording/pack"
)

// transcripts is where the entries of transcript files are: what versions of the CLI kept of
// scenarios, one file for each, as protogen record --transcripts wrote them. A file has no whole
// session, but entries of all kinds. They are built in as package pack keeps them.
const transcripts = "conformance/transcripts"

// TranscriptVersions returns the versions with transcript entries, the oldest first.
func TranscriptVersions() (versions []string) {
	names, _ := fs.Glob(ccwire.Transcripts, path.Join(transcripts, pack.Name("*"))) // the pattern is well formed
	for _, name := range names {
		versions = append(versions, strings.TrimSuffix(path.Base(name), pack.Ext))
	}
	slices.SortFunc(versions, Compare)
	return versions
}

// TranscriptEntries returns the transcript entries of a version, without line ends.
func TranscriptEntries(version string) ([]string, error) {
	fsys, err := fs.Sub(ccwire.Transcripts, transcripts)
	if err == nil {
		fsys, err = pack.Read(fsys, version)
	}
	var text []byte
	if err == nil {
		text, err = fs.ReadFile(fsys, version+".jsonl")
	}
	if err != nil {
		return nil, fmt.Errorf("there are no transcript entries of %s: %w", version, err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), nil
}
