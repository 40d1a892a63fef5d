package fuzz_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ccwire/ccwire/fuzz/corpus"
)

var frames = corpus.Frames()

// FuzzConn holds a Conn to its model, while the peer writes any bytes at any time and calls and
// handlers run.
func FuzzConn(f *testing.F) {
	for _, s := range streams() {
		if len(s) > 255 {
			continue
		}
		raw := append([]byte{byte(opRaw), byte(len(s)), 0}, s...)
		f.Add(append([]byte{byte(opCall), 0, 0}, raw...))
		f.Add(append(raw, byte(opPeerEnds), 0, 0))
	}
	for i := range len(frames) {
		f.Add([]byte{byte(opFrame), byte(i), 0, byte(opCall), 0, 0, byte(opRequest), byte(i), 1, byte(opRelease), 0, byte(i), byte(opAnswer), byte(i), 0, byte(opTime), 60, 0})
	}
	f.Add([]byte{byte(opCall), 0, 0, byte(opBreak), 0, 0, byte(opCall), 1, 0, byte(opRequest), 0, 0, byte(opRelease), 0, 0, byte(opTime), 9, 0})
	f.Add([]byte{byte(opRequest), 0, 0, byte(opBreak), 1, 0, byte(opCall), 1, 0, byte(opRelease), 0, 0, byte(opTime), 60, 0, byte(opGiveUp), 0, 0})
	f.Add([]byte{byte(opRequest), 0, 0, byte(opCancel), 0, 0, byte(opRelease), 0, 0, byte(opClose), 0, 0})
	f.Add([]byte{byte(opRequest), 0, 0, byte(opRequest), 0, 0, byte(opRequest), 1, 2, byte(opRequest), 2, 3, byte(opCloseInput), 0, 0, byte(opCloseInput), 1, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := playConn(t, decodeSteps(data)); err != nil {
			t.Fatal(err)
		}
	})
}

// stepGen makes steps at random. Those that end something are rare.
var stepGen = rapid.Custom(func(t *rapid.T) step {
	common := []op{opRaw, opFrame, opRequest, opRequest, opRequest, opCancel, opAnswer, opAnswer, opAnswer, opCall, opCall, opCall, opGiveUp, opRelease, opRelease, opRelease, opTime, opSend}
	s := step{Op: rapid.SampledFrom(common).Draw(t, "op"), A: rapid.Byte().Draw(t, "a"), B: rapid.Byte().Draw(t, "b")}
	if rapid.IntRange(0, 19).Draw(t, "ending") == 0 {
		s.Op = rapid.SampledFrom([]op{opCloseInput, opPeerEnds, opClose, opBreak}).Draw(t, "end")
	}
	if s.Op == opRaw {
		s.Text = rapid.SampledFrom(append(nastyLines, "\n", "{", "\r\n", "noise\n")).Draw(t, "text") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end of line")
	}
	return s
})

func TestConnDoesWhatItsModelDoes(t *testing.T) {
	for range 20 { // of so many runs as rapid has by default
		rapid.Check(t, func(rt *rapid.T) {
			steps := rapid.SliceOfN(stepGen, 1, 60).Draw(rt, "steps")
			if err := playConn(t, steps); err != nil {
				rt.Fatal(err)
			}
		})
		if t.Failed() {
			return
		}
	}
}
