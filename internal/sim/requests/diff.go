package requests

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// parseDiff makes the reply to get_workspace_diff of what git diff says.
func parseDiff(text string) object.Object {
	files, hunks := []any{}, []any{}
	added, removed := 0, 0
	for i, part := range strings.Split("\n"+text, "\ndiff --git ") {
		if i == 0 {
			continue
		}
		path, status := "", "modified"
		plus, minus := 0, 0
		parts := []any{}
		var lines []any
		var head object.Object
		flush := func() {
			if head != nil {
				parts = append(parts, head.With("lines", lines))
			}
			head, lines = nil, nil
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(part, "\n"), "\n") {
			switch m := hunkHead.FindStringSubmatch(line); {
			case m != nil:
				flush()
				head = object.Of("oldStart", count(m[1]), "oldLines", count(m[2]), "newStart", count(m[3]), "newLines", count(m[4]))
			case head == nil && strings.HasPrefix(line, "+++ b/"):
				path = strings.TrimPrefix(line, "+++ b/")
			case head == nil && strings.HasPrefix(line, "--- a/"):
				path = strings.TrimPrefix(line, "--- a/")
			case head == nil && strings.HasPrefix(line, "new file"):
				status = "added"
			case head == nil && strings.HasPrefix(line, "deleted file"):
				status = "deleted"
			case head != nil && !strings.HasPrefix(line, `\`):
				lines = append(lines, line)
				switch {
				case strings.HasPrefix(line, "+"):
					plus++
				case strings.HasPrefix(line, "-"):
					minus++
				}
			}
		}
		flush()
		added, removed = added+plus, removed+minus
		files = append(files, object.Of("path", path, "added", plus, "removed", minus, "isBinary", false, "isUntracked", false, "status", status))
		hunks = append(hunks, object.Of("path", path, "hunks", parts))
	}
	return object.Of("stats", object.Of("filesCount", len(files), "linesAdded", added, "linesRemoved", removed), "perFileStats", files,
		"omitted", object.Of("files", 0, "exact", true), "hunks", hunks, "skippedLarge", []any{}, "restricted", []any{},
		"source", object.Of("kind", "working-tree"))
}

// count reads a number of a hunk's head; without one, it is 1.
func count(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 1
	}
	return n
}
