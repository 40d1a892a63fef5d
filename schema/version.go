package schema

import (
	"strconv"
	"strings"
)

// A cliVersion is a version of the CLI, such as 2.1.325.
type cliVersion [3]int

// parseVersion reads three numbers with dots between them.
func parseVersion(text string) (v cliVersion, ok bool) {
	parts := strings.Split(text, ".")
	if len(parts) != len(v) {
		return v, false
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil {
			return v, false
		}
		v[i] = int(n)
	}
	return v, true
}

// olderThan reports whether v is older than the version that a keyword names; "" names the oldest.
func (v cliVersion) olderThan(keyword string) bool {
	w, ok := parseVersion(keyword)
	if !ok {
		return false
	}
	for i := range v {
		if v[i] != w[i] {
			return v[i] < w[i]
		}
	}
	return false
}
