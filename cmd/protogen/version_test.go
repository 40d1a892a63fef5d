package main

import (
	"testing"

	"github.com/ccwire/ccwire/internal/buildinfo"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

func TestTheNewestCLIVerifiedIsTheOnePinnedAndRecorded(t *testing.T) {
	newest := corpus.Newest()
	if says := buildinfo.Read().NewestCLI; says != newest || npm.Pinned() != newest {
		t.Errorf("protogen version says %s, internal/npm/cli-version %s, and the newest recordings are of %s",
			says, npm.Pinned(), newest)
	}
}
