package main

import (
	"testing"

	"github.com/ccwire/ccwire/conformance/npm"
	"github.com/ccwire/ccwire/conformance/recordings"
	"github.com/ccwire/ccwire/internal/buildinfo"
)

func TestTheNewestCLIVerifiedIsTheOnePinnedAndRecorded(t *testing.T) {
	newest, err := recordings.Newest()
	if err != nil {
		t.Fatal(err)
	}
	if buildinfo.NewestCLI != newest.String() || npm.Pinned() != newest.String() {
		t.Errorf("internal/buildinfo says %s, conformance/npm/cli-version %s, and the newest recordings are of %s",
			buildinfo.NewestCLI, npm.Pinned(), newest)
	}
}
