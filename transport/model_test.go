package transport

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/internal/peertest"
	"github.com/ccwire/ccwire/internal/seeds"
)

// oddTexts are what a peer writes that is not a plain frame.
var oddTexts = []string{
	"", "\n", "{", "}", "\r\n", "\ufeff", "\xff", "noise", "[1]", peertest.KeepAliveLine, peertest.PromptLine("x"), `{"type":"brand_new"}`,
	`{"type":"control_request","request_id":"raw"}`, peertest.RequestLine("raw", peertest.InterruptBody), peertest.CancelLine("raw"),
	peertest.SuccessLine("nobody", ""), peertest.ErrorLine("nobody", "no"), `{"type":"control_response","response":{"subtype":"success"`,
	`{"type":"x","type":"x"}`, `{"type":"x","a":"\ud800"}`, `{"type":"control_request","request_id":1,"request":{"subtype":"interrupt"}}`,
	`{"type":"system","subtype":"session_title_changed","title":"x","session_id":"s","uuid":"u"}`,
}

// stepGen makes steps at random. Those that end something are rare.
var stepGen = rapid.Custom(func(t *rapid.T) step {
	common := []stepOp{stepRaw, stepFrame, stepRequest, stepRequest, stepRequest, stepCancel, stepAnswer, stepAnswer,
		stepBegin, stepBegin, stepBegin, stepGiveUp, stepReturn, stepReturn, stepReturn, stepTime}
	s := step{Op: rapid.SampledFrom(common).Draw(t, "op"), A: rapid.Byte().Draw(t, "a"), B: rapid.Byte().Draw(t, "b")}
	switch {
	case rapid.IntRange(0, 29).Draw(t, "ending") == 0:
		s.Op = rapid.SampledFrom([]stepOp{stepCloseInput, stepPeerEnds, stepClose, stepBreak}).Draw(t, "end")
	case s.Op == stepRequest && s.B >= 128:
		s.A = 0 // a permission, whose callback waits
	case s.Op == stepRaw:
		s.Text = rapid.SampledFrom(oddTexts).Draw(t, "text") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end of line")
	}
	return s
})

// checkPlays plays steps at random, twenty times as many plays as rapid has by default.
func checkPlays(t *testing.T, start func(*testing.T) *play) {
	for range 20 {
		rapid.Check(t, func(rt *rapid.T) {
			mute := rapid.Byte().Draw(rt, "mute")
			steps := rapid.SliceOfN(stepGen, 1, 60).Draw(rt, "steps")
			if err := runPlay(t, start, mute, steps); err != nil {
				rt.Fatal(err)
			}
		})
		if t.Failed() {
			return
		}
	}
}

func TestConnDoesWhatItsModelDoes(t *testing.T) { checkPlays(t, newConnPlay) }

func TestASessionDoesWhatTheModelSays(t *testing.T) { checkPlays(t, newSessionPlay) }

// FuzzConn holds a Conn to its model, while the peer writes any bytes at any time and calls and
// callbacks run.
func FuzzConn(f *testing.F) { fuzzPlays(f, newConnPlay) }

// FuzzSession holds a session to its model, whatever the CLI and the application do.
func FuzzSession(f *testing.F) { fuzzPlays(f, newSessionPlay) }

// fuzzPlays plays the steps that the bytes are.
func fuzzPlays(f *testing.F, start func(*testing.T) *play) {
	add := func(mute byte, steps ...byte) { f.Add(mute, steps) }
	for _, s := range seeds.Streams() {
		if len(s.Data) > 255 {
			continue
		}
		raw := append([]byte{byte(stepRaw), byte(len(s.Data)), 0}, s.Data...)
		add(0, append([]byte{byte(stepBegin), 0, 0}, raw...)...)
		add(0, append(raw, byte(stepPeerEnds), 0, 0)...)
	}
	for i := range len(corpusFrames) {
		b := byte(i)
		add(0, byte(stepFrame), b, 0, byte(stepBegin), b, 0, byte(stepRequest), b, 1, byte(stepReturn), 0, b, byte(stepAnswer), b, 0, byte(stepTime), 60, 0)
	}
	const request, answer, begin, giveUp, ret, pass = byte(stepRequest), byte(stepAnswer), byte(stepBegin), byte(stepGiveUp), byte(stepReturn), byte(stepTime)
	add(0, begin, 0, 0, byte(stepBreak), 0, 0, begin, 1, 0, request, 0, 0, ret, 0, 0, pass, 9, 0)
	add(0, request, 0, 0, byte(stepBreak), 1, 0, begin, 1, 0, ret, 0, 0, pass, 60, 0, giveUp, 0, 0)
	add(0, request, 0, 0, byte(stepCancel), 0, 0, ret, 0, 0, byte(stepClose), 0, 0)
	add(0, request, 0, 0, request, 0, 0, request, 0, 2, request, 0, 3, byte(stepCloseInput), 0, 0, byte(stepCloseInput), 1, 0)
	add(9, begin, 3, 0, begin, 0, 0, begin, 4, 0, begin, 0, 0, begin, 0, 0, pass, 100, 0)
	add(9, begin, 3, 0, giveUp, 0, 0, begin, 0, 0, byte(stepPeerEnds), 1, 0, begin, 0, 0)
	add(0, answer, 2, 0, begin, 0, 0, byte(stepCloseInput), 0, 0)
	f.Fuzz(func(t *testing.T, mute byte, data []byte) {
		if err := runPlay(t, start, mute, decodeSteps(data)); err != nil {
			t.Fatal(err)
		}
	})
}
