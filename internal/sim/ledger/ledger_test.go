package ledger_test

import (
	"math"
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

// TestAMessageCostsWhatItsUsageSays holds what 2.1.325 tells of messages with these usages.
func TestAMessageCostsWhatItsUsageSays(t *testing.T) {
	for _, tt := range []struct {
		name  string
		usage object.Object
		want  float64
	}{
		{"tokens", object.Of("input_tokens", 1000, "output_tokens", 1000), 0.024},
		{"read from the cache", object.Of("cache_read_input_tokens", 1000), 0.0002},
		{"cached", object.Of("cache_creation_input_tokens", 1000), 0.005},
		{"cached for an hour", object.Of("cache_creation_input_tokens", 1000, "cache_creation", object.Of("ephemeral_1h_input_tokens", 1000)), 0.008},
		{"a search", object.Of("server_tool_use", object.Of("web_search_requests", 1, "web_fetch_requests", 1)), 0.01},
		{"fast", object.Of("output_tokens", 1000, "speed", "fast"), 0.04},
		{"in one country", object.Of("output_tokens", 1000, "inference_geo", "us"), 0.022},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var l ledger.Ledger
			l.Spend("claude-opus-5-5", ledger.Read(tt.usage))
			if got := l.Cost(); math.Abs(got-tt.want) > 1e-12 {
				t.Errorf("costs $%v, want $%v", got, tt.want)
			}
		})
	}
}
