package main

import (
	"testing"

	"github.com/ccwire/ccwire/internal/buildinfo"
	"github.com/ccwire/ccwire/internal/conformance/npm"
	"github.com/ccwire/ccwire/internal/conformance/recordings"
)

func TestTheNewestCLIVerifiedIsTheOnePinnedAndRecorded(t *testing.T) {
	newest := recordings.Newest()
	if says := buildinfo.Read().NewestCLI; says != newest || npm.Pinned() != newest {
		t.Errorf("protogen version says %s, internal/conformance/npm/cli-version %s, and the newest recordings are of %s",
			says, npm.Pinned(), newest)
	}
}
