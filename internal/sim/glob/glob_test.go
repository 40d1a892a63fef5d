package glob_test

import (
	"testing"

	"github.com/ccwire/ccwire/internal/sim/glob"
)

func TestPatternsMatchPaths(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		whole, tree   bool
	}{
		{"*.txt", "a.txt", true, true},
		{"*.txt", "d/a.txt", false, false},
		{"**/*.txt", "a.txt", true, true},
		{"**/*.txt", "d/e/a.txt", true, true},
		{"d/**", "d/e/a.txt", true, true},
		{"d", "d/e/a.txt", false, true},
		{"a.{txt,md}", "a.md", true, true},
		{"[!a]?", "bc", true, true},
		{"a.txt", "aXtxt", false, false},
	} {
		whole, err := glob.Compile(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := glob.Tree(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if whole.MatchString(tt.path) != tt.whole || tree.MatchString(tt.path) != tt.tree {
			t.Errorf("%s and %s: got %v, %v", tt.pattern, tt.path, !tt.whole, !tt.tree)
		}
	}
}

func TestAPatternThatIsNoneIsAnError(t *testing.T) {
	for _, pattern := range []string{"[z-a]", "{a"} {
		if _, err := glob.Compile(pattern); err == nil {
			t.Errorf("%s is taken", pattern)
		}
	}
}
