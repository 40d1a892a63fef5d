package main

import (
	"testing"

	"github.com/ccwire/ccwire/conformance/npm"
	"github.com/ccwire/ccwire/conformance/recordings"
	"github.com/ccwire/ccwire/internal/buildinfo"
)

func TestTheNewestCLIVerifiedIsTheOnePinnedAndRecorded(t *testing.T) {
	newest := recordings.Newest()
	if says := buildinfo.Read().NewestCLI; says != newest || npm.Pinned() != newest {
		t.Errorf("protogen version says %s, conformance/npm/cli-version %s, and the newest recordings are of %s",
			says, npm.Pinned(), newest)
	}
}
