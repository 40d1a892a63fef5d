package drift

import (
	"fmt"

	"github.com/ccwire/ccwire/internal/conformance/inventory"
)

// compareCourses returns how a scenario goes another way, nil if it does not.
func compareCourses(name string, a, b *inventory.Course) *Course {
	c := &Course{Scenario: name, Changes: lineDiff(a.Lines, b.Lines)}
	if a.Exit != b.Exit {
		c.Changes = append(c.Changes, fmt.Sprintf("exit code: was %s, is %s", a.Exit, b.Exit))
	}
	if len(c.Changes) == 0 {
		return nil
	}
	return c
}

// lineDiff returns the lines that are only in one of two sequences, by their longest common
// subsequence.
func lineDiff(a, b []string) (changes []string) {
	// common[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			changes = append(changes, "- "+a[i])
			i++
		default:
			changes = append(changes, "+ "+b[j])
			j++
		}
	}
	return changes
}
