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

func TestAStreamThatIsLongInWritingIsNoHang(t *testing.T) {
	s := Stream{Data: []byte("{\"text\":\"" + strings.Repeat("a", 40) + "\"}\n")}
	for i := range s.Data[1:] {
		s.Cuts = append(s.Cuts, i+1)
	}
	c := command{argv: []string{"cat"}, deadline: 300 * time.Millisecond}
	o, err := c.runScript(t.Context(), int64(len(s.Data)), s.script(0)) // a second of pauses
	if err != nil {
		t.Fatal(err)
	}
	if o.hung || !bytes.Equal(o.output, s.Data) {
		t.Errorf("hung: %v, wrote %q", o.hung, o.output)
	}
}
