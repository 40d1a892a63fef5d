//go:build unix

package framing

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestDescendantsAreEnded(t *testing.T) {
	start := time.Now()
	c := command{argv: []string{"/bin/sh", "-c", "sleep 1000 & cat"}, deadline: 30 * time.Second}
	o, err := c.runStream(t.Context(), Stream{Data: []byte("{}\n")})
	if err != nil || string(o.output) != "{}\n" {
		t.Errorf("got %+v, %v", o, err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// The stream takes a second to write, three times the limit; so if the limit held for the writing,
// every try would hang. One does by itself where the machine stands still behind the last piece.
func TestAStreamThatIsLongInWritingIsNoHang(t *testing.T) {
	s := Stream{Data: []byte("{\"text\":\"" + strings.Repeat("a", 40) + "\"}\n")}
	for i := range s.Data[1:] {
		s.Cuts = append(s.Cuts, i+1)
	}
	c := command{argv: []string{"cat"}, deadline: 300 * time.Millisecond}
	const tries = 20
	for range tries {
		o, err := c.runScript(t.Context(), int64(len(s.Data)), s.script(0))
		if err != nil {
			t.Fatal(err)
		}
		if !o.hung && bytes.Equal(o.output, s.Data) {
			return
		}
		t.Logf("hung: %v, wrote %q", o.hung, o.output)
	}
	t.Errorf("it is a hang in each of %d tries", tries)
}
