package differ

import (
	"strings"
	"testing"
)

func TestTheNumberOfASessionDecidesIt(t *testing.T) {
	texts := map[string]bool{}
	const count = 300
	for seed := range uint64(count) {
		one, err := New(seed)
		if err != nil {
			t.Fatalf("session %d: %v", seed, err)
		}
		again, err := New(seed)
		if err != nil {
			t.Fatal(err)
		}
		if one.Text != again.Text {
			t.Errorf("session %d is made twice, and differs", seed)
		}
		_, script, _ := strings.Cut(one.Text, "since:")
		texts[script] = true
	}
	if len(texts) < count*9/10 {
		t.Errorf("%d numbers make %d sessions", count, len(texts))
	}
}

func TestEachFeatureMakesAScenario(t *testing.T) {
	for _, list := range [][]feature{options, prompts, moments} {
		for _, f := range list {
			t.Run(f.name, func(t *testing.T) {
				for seed := range uint64(20) {
					b := newBuilder(seed)
					f.add(b)
					if _, err := b.scenario(seed); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
}
