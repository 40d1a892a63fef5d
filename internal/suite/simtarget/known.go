package simtarget

import (
	"embed"
	"errors"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/release"
	"github.com/ccwire/ccwire/internal/suite"
)

// knownFailing lists the scenarios that do not hold on the simulated CLI.
//
//go:embed known-failing.txt
var knownFailing string

// otherCourse lists the scenarios that hold, in sessions that are not as the real CLI was recorded.
//
//go:embed other-course.txt
var otherCourse string

// older has two such lists for each older version: VERSION-failing.txt and VERSION-other.txt.
//
//go:embed older
var older embed.FS

// Known returns the failures of the simulated CLI that are known. recorded says that sessions are
// compared with the recordings.
func Known(recorded bool) (suite.Known, error) { return KnownOlder("", recorded) }

// KnownOlder is Known for a version of the simulated CLI; "" is the newest.
func KnownOlder(version string, recorded bool) (suite.Known, error) {
	r, err := release.New(version)
	if err != nil {
		return nil, err
	}
	failing, other := knownFailing, otherCourse
	if !r.Newest() {
		if failing, other, err = olderLists(r.Recorded()); err != nil {
			return nil, err
		}
	}
	if recorded {
		failing += "\n" + other
	}
	return suite.ParseKnown(strings.NewReader(failing))
}

// olderLists returns the lists of an older version.
func olderLists(version string) (failing, other string, err error) {
	a, errA := older.ReadFile("older/" + version + "-failing.txt")
	b, errB := older.ReadFile("older/" + version + "-other.txt")
	return string(a), string(b), errors.Join(errA, errB)
}
