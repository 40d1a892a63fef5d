//go:build !ccwire_safe && !race

package wire

import (
	"strings"
	"testing"
)

func TestTheUsualLineTakesOneAllocation(t *testing.T) {
	d := learned()
	for _, text := range []string{"a", "Hello there.", strings.Repeat("piece ", 8), strings.Repeat("piece ", 15)} {
		line := []byte(strings.Replace(usual, `Hel\nlo`, text, 1))
		if n := testing.AllocsPerRun(100, func() {
			if _, err := d.Decode(line); err != nil {
				t.Fatal(err)
			}
		}); n != 1 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}
