//go:build !ccwire_safe && !race && (amd64 || arm64)

package wire

import (
	"strings"
	"testing"
	"unsafe"
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

// TestTheUsualLineFillsSizesOfTheAllocator fails when a member has been added to
// a struct of the line; the room for its text must then change.
func TestTheUsualLineFillsSizesOfTheAllocator(t *testing.T) {
	const parts = unsafe.Sizeof(textParts{})
	for _, row := range []struct {
		n    int
		want uintptr
	}{{1, 256}, {88, 256}, {89, 320}, {152, 320}} {
		if _, room := newTextParts(row.n); parts+uintptr(len(room)) != row.want {
			t.Errorf("%d bytes of text: %d and %d", row.n, parts, len(room))
		}
	}
}
