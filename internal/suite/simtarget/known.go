package simtarget

import (
	_ "embed"
	"strings"

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

// Known returns the failures of the simulated CLI that are known. recorded says that sessions are
// compared with the recordings.
func Known(recorded bool) (suite.Known, error) {
	text := knownFailing
	if recorded {
		text += "\n" + otherCourse
	}
	return suite.ParseKnown(strings.NewReader(text))
}
