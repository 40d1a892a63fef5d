package mixed

import (
	"strings"
	"testing"
)

func TestTheNumberOfASessionDecidesIt(t *testing.T) {
	texts := map[string]bool{}
	for seed := range uint64(50) {
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
		_, script, _ := strings.Cut(one.Text, "-- script --")
		texts[script] = true
	}
	if len(texts) != 50 {
		t.Errorf("50 numbers make %d sessions", len(texts))
	}
}

func TestEachBlockMakesAScenario(t *testing.T) {
	for _, b := range blocks {
		t.Run(b.name, func(t *testing.T) {
			s := newSession(1)
			s.begin()
			before := s.script.Len()
			b.add(s)
			if s.script.Len() == before {
				t.Error("nothing happens in it")
			}
			if _, err := s.scenario(1); err != nil {
				t.Error(err)
			}
		})
	}
}
