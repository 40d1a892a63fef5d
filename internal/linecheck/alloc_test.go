//go:build !race

package linecheck_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/ccwire/ccwire/internal/linecheck"
)

// The memory that is asked for says, whatever the machine is busy with, how often a line is copied
// and decoded, and whether the schemas are asked.
func TestRequestsAndRepliesAreJudgedWithAFewTimesTheMemoryOfTheirText(t *testing.T) {
	const times = 4 // it is between 2 and 3
	stream := callbacks(t, 4<<20)
	for _, lint := range []bool{false, true} {
		checker := linecheck.New(lint)
		judge(t, checker, stream[:bytes.LastIndexByte(stream[:len(stream)/4], '\n')+1]) // what is made once
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		judge(t, checker, stream)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > times*uint64(len(stream)) {
			t.Errorf("lint %v: %d bytes for a text of %d", lint, took, len(stream))
		}
	}
}
