package recording

import "encoding/json"

// MirrorType is the type of the lines that repeat entries of the transcript. The CLI writes them
// beside the others: how many entries are in one, and where it comes, is chance.
const MirrorType = "transcript_mirror"

// Mirror is a line that repeats entries of the transcript.
type Mirror struct {
	Path    string            `json:"filePath"`
	Entries []json.RawMessage `json:"entries"`
}

// ReadMirror reads a line of the type [MirrorType]. It is nil for any other.
func ReadMirror(line []byte) *Mirror {
	var l struct {
		Type string `json:"type"`
		Mirror
	}
	if json.Unmarshal(line, &l) != nil || l.Type != MirrorType {
		return nil
	}
	return &l.Mirror
}
