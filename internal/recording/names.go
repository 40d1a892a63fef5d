package recording

import (
	"regexp"
	"strings"
)

var (
	ports   = regexp.MustCompile(`(127\.0\.0\.1|localhost):\d+`)
	sockets = regexp.MustCompile(`/\d+\.sock\b`)
	stamps  = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)
	users   = regexp.MustCompile(`/claude-\d+/`)            // a folder for each user of the system
	plans   = regexp.MustCompile(`/plans/[a-z0-9-]+\.md\b`) // named by random words
	dates   = regexp.MustCompile(`\d{4}-\d\d-\d\d-\d{6}\b`) // in the names of files
	blobs   = regexp.MustCompile(`-blob-\d{13}-[0-9a-z]+`)  // in the names of files that a tool has returned
	secrets = regexp.MustCompile(`\b((?:code_challenge|state)=)[\w-]{43}`)
	escaped = regexp.MustCompile(`(localhost%3A)\d+`)
	// In what people read: how long a session took, and when a job runs next.
	totals   = regexp.MustCompile(`(Total duration \([A-Za-z]+\): +)[\d.]+[a-z]+(?: \d+[a-z]+)*`)
	nextRuns = regexp.MustCompile(`Next run: [A-Z][a-z]{2} \d+ \d+:\d\d[ap]m`)
)

// versionMark stands for the CLI's version.
const versionMark = "[version]"

// Names knows what the stand-ins of one session stand for. It is for one goroutine.
type Names struct {
	version string
	folders []folder
	ids     map[string]string // stand-in by id
	real    map[string]string // id by stand-in
	counts  map[*idKind]int   // how many ids of each kind have appeared
}

type folder struct{ real, standIn string }

// NewNames returns the Names of a session. The folders "cwd", "home", "config" and "tmp" below root
// become /scratch/cwd and so on.
func NewNames(version, root string) *Names {
	n := &Names{version: version, ids: map[string]string{}, real: map[string]string{}, counts: map[*idKind]int{}}
	if root != "" {
		n.Folder(root, "/scratch")
	}
	return n
}

// Folder says that the path of a folder has a stand-in.
func (n *Names) Folder(real, standIn string) {
	n.folders = append(n.folders, folder{real, standIn}, folder{flat(real), flat(standIn)})
}

// flat is the form in which the CLI makes one name of a path.
func flat(path string) string { return regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(path, "-") }

// Hide replaces what is particular to the session by stand-ins. Ids are numbered in the order of
// their first appearance.
func (n *Names) Hide(text string) string {
	n.learn(text)
	for _, f := range n.folders {
		text = strings.ReplaceAll(text, f.real, f.standIn)
	}
	if n.version != "" {
		text = replaceVersion(text, n.version)
	}
	text = evenLength(text)
	text = stamps.ReplaceAllString(text, "2000-01-01T00:00:00.000Z")
	text = dates.ReplaceAllString(text, "2000-01-01-000000")
	text = secrets.ReplaceAllString(text, "${1}[secret]")
	for i := range idKinds {
		text = n.hideAll(&idKinds[i], text)
	}
	return text
}

// evenLength replaces what has another length in each session, so that a text is as long in all.
func evenLength(text string) string {
	text = ports.ReplaceAllString(text, "$1:0")
	text = sockets.ReplaceAllString(text, "/1.sock")
	text = users.ReplaceAllString(text, "/claude-0/")
	text = plans.ReplaceAllString(text, "/plans/plan.md")
	text = blobs.ReplaceAllString(text, "-blob-0-0")
	text = escaped.ReplaceAllString(text, "${1}0")
	text = totals.ReplaceAllString(text, "${1}0s")
	return nextRuns.ReplaceAllString(text, "Next run: Jan 1 0:00am")
}

// replaceVersion replaces the version where it stands alone, not as a part of a longer number.
func replaceVersion(text, version string) string {
	for at := 0; ; {
		i := strings.Index(text[at:], version)
		if i < 0 {
			return text
		}
		i += at
		end := i + len(version)
		if (i > 0 && isNumeric(text[i-1])) || (end < len(text) && isNumeric(text[end]) && text[end] != '.') {
			at = end
			continue
		}
		text = text[:i] + versionMark + text[end:]
		at = i + len(versionMark)
	}
}

func isNumeric(c byte) bool { return c >= '0' && c <= '9' || c == '.' }

// Show replaces stand-ins by what they stand for in this session. An id that has not appeared yet
// is made up.
func (n *Names) Show(text string) string {
	for i := len(idKinds) - 1; i >= 0; i-- { // a part of a UUID may look like a later stand-in
		text = n.showAll(&idKinds[i], text)
	}
	text = strings.ReplaceAll(text, versionMark, n.version)
	for _, f := range n.folders {
		text = strings.ReplaceAll(text, f.standIn, f.real)
	}
	return text
}
