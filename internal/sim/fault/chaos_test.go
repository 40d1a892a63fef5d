package fault

import (
	"fmt"
	"testing"
)

func TestTheFaultsOfASeedAreAlwaysTheSame(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(500) {
		first, second := fmt.Sprint(Chaos(seed)), fmt.Sprint(Chaos(seed))
		if first != second {
			t.Errorf("seed %d: %s, then %s", seed, first, second)
		}
		seen[first] = true
	}
	if len(seen) < 490 {
		t.Errorf("500 seeds choose %d lists", len(seen))
	}
}
