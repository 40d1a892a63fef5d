package scoreboard

import (
	"path/filepath"
	"testing"

	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/terminal"
)

func TestTheSessionsOfTheSDKsHoldNothingUnknown(t *testing.T) {
	files, err := filepath.Glob("../../conformance/recordings/sessions/*/sdk-*.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 4 {
		t.Errorf("there are %d sessions, want two of each SDK", len(files))
	}
	check(t, files)
}

// check judges every line of recordings, and the bodies of the replies in them.
func check(t *testing.T, files []string) {
	t.Helper()
	r := linecheck.Run{
		Checker:    linecheck.New(true),
		Unreadable: func(err error) { t.Error(err) },
		Emit: func(f linecheck.Finding) error {
			t.Error(f.Text(terminal.Style{}))
			return nil
		},
	}
	sum, err := r.Files(files)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Unchecked > 0 {
		t.Errorf("%d replies answer nothing", sum.Unchecked)
	}
}
