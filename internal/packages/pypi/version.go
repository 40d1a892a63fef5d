package pypi

import (
	"fmt"
	"regexp"
	"strings"
)

// pep440 spells a semantic version as Python does. The version of a commit, which semantic
// versions count as one before a release, is a version in development:
//
//	0.1.0                                  0.1.0
//	0.2.0-rc.1                             0.2.0rc1
//	0.0.0-devel                            0.0.0.dev0
//	0.0.0-20261118235248-6c47bec87520      0.0.0.dev20261118235248+6c47bec87520
//	0.1.1-0.20261118235248-6c47bec87520    0.1.1.dev20261118235248+6c47bec87520
func pep440(version string) (string, error) {
	release, pre, isPre := strings.Cut(version, "-")
	if !isPre {
		return release, nil
	}
	if pre == "devel" {
		return release + ".dev0", nil
	}
	if m := candidate.FindStringSubmatch(pre); m != nil {
		return release + letters[m[1]] + m[2], nil
	}
	if m := commit.FindStringSubmatch(pre); m != nil {
		return release + ".dev" + m[1] + "+" + m[2], nil
	}
	return "", fmt.Errorf("version %s has no counterpart in Python: use -alpha.N, -beta.N or -rc.N", version)
}

var (
	candidate = regexp.MustCompile(`^(alpha|beta|rc)\.(0|[1-9]\d*)$`)
	commit    = regexp.MustCompile(`^(?:0\.|.*\.0\.)?(\d{14})-([0-9a-f]{12})$`)
	letters   = map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}
)
