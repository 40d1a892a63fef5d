//go:build !ccwire_safe && !race && (amd64 || arm64)

package wire

import (
	"strings"
	"testing"
	"unsafe"
)

func TestAPieceTakesOneAllocation(t *testing.T) {
	for name, line := range deltas {
		d := learned(line, nil)
		for _, text := range []string{"a", "Hello there.", strings.Repeat("piece ", 8), strings.Repeat("piece ", 15)} {
			line := []byte(strings.Replace(line, piece, text, 1))
			if n := testing.AllocsPerRun(100, func() {
				if _, err := d.Decode(line); err != nil {
					t.Fatal(err)
				}
			}); n != 1 {
				t.Errorf("%s, %q: %v allocations", name, text, n)
			}
		}
	}
}

// TestAPieceFillsSizesOfTheAllocator fails when a member has been added to a struct of the line;
// the room for its text must then change.
func TestAPieceFillsSizesOfTheAllocator(t *testing.T) {
	const parts = unsafe.Sizeof(pieceOf[TextDelta]{})
	for _, row := range []struct {
		n    int
		want uintptr
	}{{1, 320}, {64, 320}, {65, 352}, {96, 352}, {97, 416}, {160, 416}} {
		if _, room := newPiece[TextDelta](row.n); parts+uintptr(len(room)) != row.want {
			t.Errorf("%d bytes of text: %d and %d", row.n, parts, len(room))
		}
	}
}

func TestTheUUIDDoesNotKeepALongPieceAlive(t *testing.T) {
	d := learned(delta, nil)
	for _, piece := range []string{strings.Repeat("long ", 1000), strings.Repeat(`\n`, 1000)} {
		f := d.molds.read([]byte(strings.Replace(delta, `Hel\nlo`, piece, 1)), nil).(*StreamEvent)
		text := f.Event.(*ContentBlockDeltaEvent).Delta.(*TextDelta).Text
		from, at := uintptr(unsafe.Pointer(unsafe.StringData(text))), uintptr(unsafe.Pointer(unsafe.StringData(f.UUID)))
		if at >= from && at < from+uintptr(len(piece)+2*uuidSize) {
			t.Errorf("the two share memory, after a piece of %d bytes", len(text))
		}
	}
}
