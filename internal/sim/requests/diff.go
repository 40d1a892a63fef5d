package requests

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/fence"
)

// quiet are arguments of git that keep it from running other programs. Filters have names of their
// own, so that only the fence holds them.
var quiet = []string{
	"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat", "-c", "core.sshCommand=false", "-c", "core.askPass=",
	"-c", "credential.helper=", "-c", "diff.external=", "-c", "protocol.allow=never", "-c", "safe.directory=*", "--no-pager",
	"diff", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "HEAD",
}

// diff is what git says of a working directory.
func diff(ctx context.Context, f *fence.Fence, dir string) (text string, code int, err error) {
	return f.Output(ctx, fence.Command{
		Name: "git", Args: quiet, Dir: dir, Read: repository(dir),
		Env: []string{"GIT_OPTIONAL_LOCKS=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat"},
	})
}

// repository returns the folder above the working directory that is the repository it is in.
func repository(dir string) []string {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
		return nil
	}
	for top := filepath.Dir(dir); top != filepath.Dir(top); top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return []string{top}
		}
	}
	return nil
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// rootID names the folder that a diff is of, by a name of this process for it.
func (s sessions) rootID() any {
	if s.Out.Release().Before("2.1.327") {
		return object.Absent
	}
	sum := sha256.Sum256(fmt.Append(nil, s.Start, s.Place.Dir()))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

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
