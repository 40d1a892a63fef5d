package gztext

import (
	"bytes"
	"strings"
	"testing"
)

func TestWhatIsPackedIsReadAgain(t *testing.T) {
	for _, text := range []string{"", "a", strings.Repeat("a line of a text\n", 10_000)} {
		packed, err := Pack([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(packed)
		if err != nil || string(got) != text {
			t.Errorf("%d bytes came back as %d, %v", len(text), len(got), err)
		}
	}
}

func TestDamagedDataIsAnErrorAndTakesLittleMemory(t *testing.T) {
	packed, err := Pack([]byte("a text"))
	if err != nil {
		t.Fatal(err)
	}
	for name, damaged := range map[string][]byte{
		"nothing":   nil,
		"no gzip":   []byte("a text"),
		"cut":       packed[:len(packed)-3],
		"long size": append(bytes.Clone(packed[:len(packed)-4]), 0xff, 0xff, 0xff, 0xff),
	} {
		if text, err := Read(damaged); err == nil {
			t.Errorf("%s: read as %q", name, text)
		}
		if size := textSize(damaged); size > 1<<20 {
			t.Errorf("%s: makes room for %d bytes", name, size)
		}
	}
}
