package output

import (
	"bytes"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
)

func TestALineMayGoBeforeLinesThatWait(t *testing.T) {
	rule := func(v object.Object) (int, bool) {
		switch v.Text("type") {
		case "first":
			return 0, true
		case "middle":
			return 1, false
		}
		return 2, false
	}
	for _, tt := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"none", nil, "a\nb\n"},
		{"one that goes first, and waits on", []string{"first", "middle"}, `{"type":"first"}` + "\na\n" + `{"type":"middle"}` + "\nb\n"},
		{"one between", []string{"middle", "other"}, "a\n" + `{"type":"middle"}` + "\nb\n" + `{"type":"other"}` + "\n"},
		{"one after", []string{"other"}, "a\nb\n" + `{"type":"other"}` + "\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got bytes.Buffer
			w := New(&got)
			w.Late(rule, []byte("a\n"))
			w.Late(rule, []byte("b\n"))
			for _, kind := range tt.lines {
				w.Line(object.Of("type", kind))
			}
			w.Close()
			if got.String() != tt.want {
				t.Errorf("got %q, want %q", got.String(), tt.want)
			}
		})
	}
}
