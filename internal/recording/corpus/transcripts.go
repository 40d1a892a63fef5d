package corpus

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire"
)

// transcripts is where the entries of transcript files are: what versions of the CLI kept of
// scenarios, one file for each, as protogen record --transcripts wrote them. A file has no whole
// session, but entries of all kinds.
const transcripts = "conformance/transcripts"

// TranscriptVersions returns the versions with transcript entries, the oldest first.
func TranscriptVersions() (versions []string) {
	names, _ := fs.Glob(ccwire.Transcripts, transcripts+"/*.jsonl") // the pattern is well formed
	for _, name := range names {
		versions = append(versions, strings.TrimSuffix(path.Base(name), ".jsonl"))
	}
	slices.SortFunc(versions, Compare)
	return versions
}

// TranscriptEntries returns the transcript entries of a version, without line ends.
func TranscriptEntries(version string) ([]string, error) {
	text, err := ccwire.Transcripts.ReadFile(path.Join(transcripts, version+".jsonl"))
	if err != nil {
		return nil, fmt.Errorf("there are no transcript entries of %s: %w", version, err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), nil
}
