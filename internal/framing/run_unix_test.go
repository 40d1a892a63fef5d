//go:build unix

package framing

import (
	"bytes"
	"context"
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

// The streams take a second to write, three times the limit; so if the limit held for the writing,
// every try would hang. One does by itself where the machine stands still after the last piece.
func TestAStreamThatIsLongInWritingIsNoHang(t *testing.T) {
	s := Stream{Data: []byte("{\"text\":\"" + strings.Repeat("a", 40) + "\"}\n")}
	for i := range s.Data[1:] {
		s.Cuts = append(s.Cuts, i+1)
	}
	c := command{argv: []string{"cat"}, deadline: 300 * time.Millisecond}
	for name, run := range map[string]func() (*outcome, error){
		"piece by piece": func() (*outcome, error) {
			return c.run(t.Context(), int64(len(s.Data)), func(_ context.Context, w *feeder) {
				for _, chunk := range s.Chunks() {
					time.Sleep(20 * time.Millisecond)
					if _, err := w.Write(chunk); err != nil {
						return
					}
				}
			})
		},
		"by a script": func() (*outcome, error) { return c.runScript(t.Context(), int64(len(s.Data)), s.script(0)) },
	} {
		t.Run(name, func(t *testing.T) {
			const tries = 20
			for range tries {
				o, err := run()
				if err != nil {
					t.Fatal(err)
				}
				if !o.hung && bytes.Equal(o.output, s.Data) {
					return
				}
				t.Logf("hung: %v, wrote %q", o.hung, o.output)
			}
			t.Errorf("it is a hang in each of %d tries", tries)
		})
	}
}
