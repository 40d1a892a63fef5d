//go:build unix

package framing

import (
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
