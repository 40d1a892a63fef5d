package ledger_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ledger"
)

// tokens are the tokens that were read of each model.
func tokens(byModel object.Object) map[string]int {
	m := map[string]int{}
	for _, member := range byModel {
		n, _ := member.Value.(object.Object).Number("inputTokens")
		m[member.Name] = int(n)
	}
	return m
}

func TestAStatementTellsWhatWasSpentSinceTheLast(t *testing.T) {
	var l ledger.Ledger
	l.Spend("big", ledger.Usage{Input: 3})
	l.State()
	l.Spend("big", ledger.Usage{Input: 4})
	l.Spend("small", ledger.Usage{Input: 5})
	st := l.State()
	if diff := cmp.Diff(map[string]int{"big": 7, "small": 5}, tokens(st.ByModel)); diff != "" {
		t.Error("in all: " + diff)
	}
	if diff := cmp.Diff(map[string]int{"big": 4, "small": 5}, tokens(st.Since)); diff != "" {
		t.Error("since the last: " + diff)
	}
}

func TestALaterRunGoesOnWithWhatWasKept(t *testing.T) {
	var before, after ledger.Ledger
	before.Spend("big", ledger.Usage{Input: 3, Output: 2})
	after.Recall(before.Kept())
	if before.Cost() != after.Cost() || before.Total() != after.Total() {
		t.Errorf("recalled %v for $%v, want %v for $%v", after.Total(), after.Cost(), before.Total(), before.Cost())
	}
	if diff := cmp.Diff(map[string]int{}, tokens(after.State().Since)); diff != "" {
		t.Error("spent by the later run: " + diff)
	}
}
