package suite

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Transcript is a file in which a CLI kept a session, or the part of a subagent in it.
type Transcript struct {
	Path  string // below the folder of all transcripts
	Lines []string
}

// transcriber is a peer whose transcripts can be read before it is closed.
type transcriber interface {
	Transcripts() ([]Transcript, error)
}

func (p *processPeer) Transcripts() ([]Transcript, error) {
	return readTranscripts(filepath.Join(p.scratch.Config, "projects"))
}

// readTranscripts reads the transcripts below a folder: those of sessions by the time of their
// beginning, then those of subagents. A folder that does not exist has none.
func readTranscripts(dir string) (all []Transcript, err error) {
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".jsonl" {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err == nil && len(text) > 0 {
			all = append(all, Transcript{name, strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")})
		}
		return err
	})
	if os.IsNotExist(err) {
		return nil, nil
	}
	slices.SortFunc(all, func(a, b Transcript) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")),
			cmp.Compare(a.began(), b.began()), cmp.Compare(a.Path, b.Path))
	})
	return all, err
}

var timestamp = regexp.MustCompile(`"timestamp":"[^"]*"`)

// began returns the first time stamp.
func (t *Transcript) began() string {
	for _, line := range t.Lines {
		if found := timestamp.FindString(line); found != "" {
			return found
		}
	}
	return ""
}
