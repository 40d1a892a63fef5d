package naming

import "testing"

func TestEveryExceptionHasAReason(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Exceptions {
		if e.Reason == "" || seen[e.Definition] {
			t.Errorf("%s: no reason, or twice", e.Definition)
		}
		seen[e.Definition] = true
	}
}
