package schema

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// TranscriptEntry names the definition of a line of a transcript file, in the set that
// [Transcripts] returns.
const TranscriptEntry = transcriptFolder + "/entry.json"

// transcriptFolder has the schemas of transcript files, which nothing on the wire refers to.
const transcriptFolder = "transcript"

var embedded = sync.OnceValue(func() *Set {
	set, err := Load(Files())
	if err != nil {
		// The tests load the embedded files, so a build that passed them does not come here.
		panic(err)
	}
	return set
})

// Default returns the schemas of this package, but for those of transcript files. They are parsed
// at the first call.
func Default() *Set { return embedded() }

var withTranscripts = sync.OnceValue(func() *Set {
	set, err := load(Files(), "testdata")
	if err != nil {
		panic(err) // as above
	}
	return set
})

// Transcripts returns the schemas of the transcript files that the CLI writes, and those of
// [Default], which they refer to. They are parsed at the first call.
func Transcripts() *Set { return withTranscripts() }

// Revision returns a short hash of all files, which changes with any change of their contents other
// than white space.
func (s *Set) Revision() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		var compact bytes.Buffer
		json.Compact(&compact, s.files[name]) // cannot fail: Load has parsed the file
		fmt.Fprintf(h, "%s\n%s\n", name, compact.Bytes())
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}
