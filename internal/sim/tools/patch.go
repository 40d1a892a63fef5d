package tools

import (
	"fmt"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/rogpeppe/go-internal/diff"
)

// patch returns the hunks that lead from one text to another.
func patch(before, after string) []any {
	hunks := []any{}
	lines := strings.Split(strings.TrimSuffix(string(diff.Diff("a", []byte(before), "b", []byte(after))), "\n"), "\n")
	var hunk object.Object
	var body []any
	for i, line := range lines {
		var fromStart, fromCount, toStart, toCount int
		if n, _ := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &fromStart, &fromCount, &toStart, &toCount); n == 4 && i >= 3 {
			if hunk != nil {
				hunks = append(hunks, hunk.With("lines", body))
			}
			if fromCount == 0 {
				fromStart++
			}
			if toCount == 0 {
				toStart++
			}
			hunk, body = object.Of("oldStart", fromStart, "oldLines", fromCount, "newStart", toStart, "newLines", toCount), nil
		} else if hunk != nil {
			body = append(body, line)
		}
	}
	if hunk != nil {
		hunks = append(hunks, hunk.With("lines", body))
	}
	return hunks
}
