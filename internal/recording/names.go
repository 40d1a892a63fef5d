package recording

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	ports   = find(`(127\.0\.0\.1|localhost):\d+`, 11, "127.0.0.1:", "localhost:")
	sockets = find(`/\d+\.sock\b`, 7, ".sock")
	stamps  = find(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`, 20, "T")
	users   = find(`/claude-\d+/`, 10, "/claude-")           // a folder for each user of the system
	plans   = find(`/plans/[a-z0-9-]+\.md\b`, 11, "/plans/") // named by random words
	dates   = find(`\d{4}-\d\d-\d\d-\d{6}\b`, 17, "-")       // in the names of files
	blobs   = find(`-blob-\d{13}-[0-9a-z]+`, 21, "-blob-")   // in the names of files that a tool has returned
	secrets = find(`\b((?:code_challenge|state)=)[\w-]{43}`, 49, "=")
	escaped = find(`(localhost%3A)\d+`, 13, "localhost%3A")
	// In what people read: how long a session took, and when a job runs next.
	totals   = find(`(Total duration \([A-Za-z]+\): +)[\d.]+[a-z]+(?: \d+[a-z]+)*`, 0, "Total duration (")
	nextRuns = find(`Next run: [A-Z][a-z]{2} \d+ \d+:\d\d[ap]m`, 0, "Next run: ")
)

// versionMark stands for the CLI's version.
const versionMark = "[version]"

// Names knows what the stand-ins of one session stand for. It is for one goroutine.
type Names struct {
	version string
	root    string
	folders []folder
	ids     map[string]string // stand-in by id
	real    map[string]string // id by stand-in
	counts  map[*idKind]int   // how many ids of each kind have appeared
	seen    map[*idKind]bool  // the kinds of which an id is known
}

type folder struct{ real, standIn string }

// usualRoot is a root as long as those of the sessions that are kept.
const usualRoot = "/tmp/ccwire-00000000"

// NewNames returns the Names of a session. The folders "cwd", "home", "config" and "tmp" below root
// become /scratch/cwd and so on.
func NewNames(version, root string) *Names {
	n := &Names{version: version, root: root, ids: map[string]string{}, real: map[string]string{}, counts: map[*idKind]int{}, seen: map[*idKind]bool{}}
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
func flat(path string) string { return unflat.ReplaceAllString(path, "-") }

var unflat = regexp.MustCompile(`[^A-Za-z0-9]`)

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
	text = stamps.replace(text, "2000-01-01T00:00:00.000Z")
	text = dates.replace(text, "2000-01-01-000000")
	text = secrets.replace(text, "${1}[secret]")
	for i := range idKinds {
		text = n.hideAll(&idKinds[i], text)
	}
	return text
}

// length returns how long a text is in a session whose paths are as long as usual, in characters.
func (n *Names) length(text string) int {
	if n.root != "" && len(n.root) != len(usualRoot) {
		text = strings.ReplaceAll(text, n.root, usualRoot)
		text = strings.ReplaceAll(text, flat(n.root), usualRoot)
	}
	return utf8.RuneCountInString(evenLength(text))
}

// evenLength replaces what has another length in each session, so that a text is as long in all.
func evenLength(text string) string {
	text = ports.replace(text, "$1:0")
	text = sockets.replace(text, "/1.sock")
	text = users.replace(text, "/claude-0/")
	text = plans.replace(text, "/plans/plan.md")
	text = blobs.replace(text, "-blob-0-0")
	text = escaped.replace(text, "${1}0")
	text = totals.replace(text, "${1}0s")
	return nextRuns.replace(text, "Next run: Jan 1 0:00am")
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
