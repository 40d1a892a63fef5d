package sessions

import (
	"os"
	"path/filepath"
	"time"

	"github.com/ccwire/ccwire/internal/object"
)

// Info is what a session is about.
type Info struct {
	ID          string
	Path        string    // of the transcript
	Summary     string    // what to show: Title, the last prompt, an older summary or the first prompt
	Title       string    // what the user, or else the CLI, named the session; "" for neither
	FirstPrompt string    // at most 200 characters of it; "" if the user has said nothing
	Tag         string    // "" for none
	Dir         string    // its working directory; "" if it is not known
	GitBranch   string    // at the end; "" if it is not known
	Created     time.Time // of the first entry with a time; zero if there is none
	Modified    time.Time // of the file
	Size        int64     // of the file, in bytes
}

// describe returns what a session is about, nil if it is that of a subagent or has nothing to show.
func describe(id, path, project string, e *ends) *Info {
	if e.sidechain() {
		return nil
	}
	i := &Info{ID: id, Path: path, Title: e.title(path), FirstPrompt: firstPrompt(e.head), Modified: e.modified, Size: e.size}
	lastPrompt, _ := last(e.tail, "", "lastPrompt")
	summary, _ := last(e.tail, "", "summary")
	if i.Summary = either(i.Title, lastPrompt, summary, i.FirstPrompt); i.Summary == "" {
		if i.Summary = shownKind(e.head); i.Summary == "" {
			return nil
		}
	}
	i.Tag, _ = last(e.tail, "tag", "tag")
	i.Dir = either(e.startedIn(), project)
	branch, _ := last(e.tail, "", "gitBranch")
	i.GitBranch = either(branch, first(e.head, "gitBranch"))
	i.Created, _ = time.Parse(time.RFC3339, first(e.head, "timestamp"))
	return i
}

func either(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}

// sidechain reports whether the first entry is of a subagent.
func (e *ends) sidechain() bool {
	for o := range forward(e.head, "") {
		return o.Bool("isSidechain")
	}
	return false
}

// title returns the name of the session in a file: that of the user comes before that of the CLI,
// and the end before the beginning.
func (e *ends) title(path string) string {
	given, ok := last(e.tail, "custom-title", "customTitle")
	if !ok {
		given = titleBeside(path)
	}
	early, _ := last(e.head, "custom-title", "customTitle")
	made, _ := last(e.tail, "ai-title", "aiTitle")
	madeEarly, _ := last(e.head, "ai-title", "aiTitle")
	return either(given, early, made, madeEarly)
}

// titleBeside returns the title that is kept in a file of its own beside a transcript.
func titleBeside(path string) string {
	data, err := os.ReadFile(filepath.Join(folderOf(path), "custom-title.json"))
	if err != nil {
		return ""
	}
	v, err := object.Parse(data)
	if err != nil {
		return ""
	}
	o, _ := v.(object.Object)
	return o.Text("customTitle")
}

// folderOf returns the folder that a session has beside its transcript.
func folderOf(path string) string { return path[:len(path)-len(".jsonl")] }
