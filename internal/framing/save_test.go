package framing

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestASavedStreamIsReadInItsPieces(t *testing.T) {
	want := Stream{Data: []byte("{}\nnoise\n0\n{}"), Cuts: []int{1, 5}}
	name := filepath.Join(t.TempDir(), "x.pieces")
	if err := os.WriteFile(name, want.pieced(), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := ReadStream(name)
	if err != nil || !bytes.Equal(got.Data, want.Data) || !slices.Equal(got.Cuts, want.Cuts) {
		t.Errorf("%q cut at %v, %v", got.Data, got.Cuts, err)
	}
}

func TestAReplayInPiecesShowsWhatOnlyPiecesShow(t *testing.T) {
	s := Stream{Data: []byte("{\"n\":1}\n"), Cuts: []int{3}}
	argv := append(parserCommand(t, "read is a line"), "--persistent")
	report, err := Replay(t.Context(), argv, s, Options{Persistent: true})
	if err != nil || len(report.Findings) != 1 {
		t.Fatal(report, err)
	}
	s.Cuts = nil
	if report, err = Replay(t.Context(), argv, s, Options{Persistent: true}); err != nil || len(report.Findings) != 0 {
		t.Fatal(report, err)
	}
}
