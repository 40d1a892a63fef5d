package transport

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/peertest"
)

// FuzzSession holds a session to its promises, whatever the CLI and the application do.
func FuzzSession(f *testing.F) {
	f.Add([]byte{1, 0, 0, 5, 0, 0, 17, 0, 0})
	f.Add([]byte{9, 0, 0, 10, 0, 0, 7, 0, 3, 1, 0, 0, 4, 1, 0, 5, 0, 0})
	f.Add([]byte{9, 0, 0, 9, 0, 0, 9, 0, 0, 9, 0, 0, 11, 0, 0, 13, 200, 0, 15, 0, 1})
	f.Add([]byte{7, 0, 0, 9, 0, 0, 15, 0, 0, 17, 0, 0})
	f.Add([]byte{1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 16, 0, 0, 16, 1, 0, 13, 250, 0})
	f.Add([]byte("\x00\x10\x00{\"type\":\"user\"\x01\x00\x00\x05\x00\x05"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := playSession(t, decodeSessionSteps(data)); err != nil {
			t.Fatal(err)
		}
	})
}

var sessionStepGen = rapid.Custom(func(t *rapid.T) sessionStep {
	s := sessionStep{Op: byte(rapid.IntRange(0, len(sessionOps)-1).Draw(t, "op")), A: rapid.Byte().Draw(t, "a"), B: rapid.Byte().Draw(t, "b")}
	if s.Op == 0 {
		s.Text = rapid.SampledFrom([]string{
			"noise", "\n", "{", "}", "\r\n", "\ufeff", "\xff", peertest.KeepAliveLine, "{\"type\":\"control_request\",\"request_id\":\"raw\"}\n",
			`{"type":"control_response","response":{"subtype":"success"`, peertest.RequestLine("raw", peertest.InterruptBody), peertest.CancelLine("raw"),
		}).Draw(t, "text")
	}
	return s
})

func TestSessionKeepsItsPromisesWhateverHappens(t *testing.T) {
	for range 10 { // of so many runs as rapid has by default
		rapid.Check(t, func(rt *rapid.T) {
			steps := rapid.SliceOfN(sessionStepGen, 1, 60).Draw(rt, "steps")
			if err := playSession(t, steps); err != nil {
				rt.Fatal(err)
			}
		})
		if t.Failed() {
			return
		}
	}
}
