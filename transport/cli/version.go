package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/tail"
)

// Version is a version of the CLI. A pre-release counts as its release. The zero Version means
// unknown.
type Version struct {
	Major, Minor, Patch int
}

// ErrNoVersion says that a text holds no version of the CLI.
var ErrNoVersion = errors.New("no version found")

// ParseVersion reads what "claude --version" prints, "2.1.325 (Claude Code)". Lines around it, such
// as warnings, are skipped: a line counts if it is a version, alone or with a remark in
// parentheses. The error wraps [ErrNoVersion].
func ParseVersion(text string) (Version, error) {
	for line := range strings.Lines(text) {
		number, remark, _ := strings.Cut(strings.TrimSpace(line), " ")
		if remark != "" && !(strings.HasPrefix(remark, "(") && strings.HasSuffix(remark, ")")) {
			continue
		}
		if v, ok := parseNumber(number); ok {
			return v, nil
		}
	}
	return Version{}, fmt.Errorf("%w in %q", ErrNoVersion, tail.Lines(text, 200))
}

// parseNumber reads "2.1.325", with or without a "v" before it and a pre-release or build part
// after it.
func parseNumber(s string) (Version, bool) {
	s = strings.TrimPrefix(s, "v")
	if i := strings.IndexAny(s, "-+"); i >= 0 {
		s = s[:i]
	}
	parts := strings.Split(s, ".")
	if len(parts) != 3 {
		return Version{}, false
	}
	var n [3]int
	for i, part := range parts {
		u, err := strconv.ParseUint(part, 10, 31)
		if err != nil {
			return Version{}, false
		}
		n[i] = int(u)
	}
	return Version{n[0], n[1], n[2]}, true
}

// Compare returns -1, 0 or +1 if v is older than, equal to or newer than w.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.Major, w.Major), cmp.Compare(v.Minor, w.Minor), cmp.Compare(v.Patch, w.Patch))
}

// AtLeast reports whether v is w or newer.
func (v Version) AtLeast(w Version) bool { return v.Compare(w) >= 0 }

// IsZero reports whether the version is unknown.
func (v Version) IsZero() bool { return v == Version{} }

func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }
