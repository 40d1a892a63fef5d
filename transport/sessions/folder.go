package sessions

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf16"
)

// longName is how long the name of a project's folder may be before it is cut and gets a suffix.
const longName = 200

// plainName returns a path with a hyphen for each UTF-16 unit that is neither a letter nor a digit
// of ASCII, as JavaScript counts them.
func plainName(path string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(path)) {
		switch {
		case unit >= '0' && unit <= '9', unit >= 'a' && unit <= 'z', unit >= 'A' && unit <= 'Z':
			b.WriteByte(byte(unit))
		default:
			b.WriteByte('-')
		}
	}
	return b.String()
}

// folderName returns the name of the folder with the sessions of a working directory.
func folderName(path string) string {
	name := plainName(path)
	if len(name) <= longName {
		return name
	}
	return name[:longName] + "-" + suffix(path)
}

// suffix tells long paths apart that begin alike.
func suffix(path string) string {
	var sum int32
	for _, unit := range utf16.Encode([]rune(path)) {
		sum = sum<<5 - sum + int32(unit)
	}
	return strconv.FormatInt(int64(math.Abs(float64(sum))), 36)
}

// realPath returns a path without links, the path itself if there is no such file.
func realPath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// samePath reports whether two names mean the same path on this system.
func samePath(a, b string) bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// within reports whether a path is one of the roots or below it.
func within(path string, roots []string) bool {
	for _, root := range roots {
		if len(path) >= len(root) && samePath(path[:len(root)], root) &&
			(len(path) == len(root) || os.IsPathSeparator(path[len(root)]) || os.IsPathSeparator(root[len(root)-1])) {
			return true
		}
	}
	return false
}

// isUUID reports whether a text is a UUID in its usual form.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return true
}
