package output

import (
	"bytes"
	"io"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
)

func TestTheReaderFindsDoneWhatWasDoneWhileLinesWereHeld(t *testing.T) {
	r, w := io.Pipe()
	out := New(w)
	done := false
	go func() {
		release := out.Hold()
		out.Line(object.Of("type", "ended"))
		done = true
		release()
	}()
	if _, err := r.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	if !done { // the race detector sees a line that comes too early
		t.Error("the line was read before the lines were let go")
	}
	out.Abandon()
}

func TestLinesThatAreHeldAreWrittenAtTheEnd(t *testing.T) {
	var got bytes.Buffer
	out := New(&got)
	out.Hold()
	out.Line(object.Of("type", "last"))
	out.Close()
	if want := `{"type":"last"}` + "\n"; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
}
