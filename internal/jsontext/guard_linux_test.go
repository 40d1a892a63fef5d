package jsontext

import (
	"syscall"
	"testing"
)

// guarded returns text in memory that ends where a page begins that nobody may touch. What looks
// behind the text crashes.
func guarded(t testing.TB, text []byte) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	size := (len(text) + page - 1) / page * page
	b, err := syscall.Mmap(-1, 0, size+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	if err := syscall.Mprotect(b[size:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	b = b[size-len(text) : size : size]
	copy(b, text)
	return b
}

func TestNothingBehindTheTextIsTouched(t *testing.T) {
	for _, piece := range []string{"a", `\n`, `\u00e9`, `\ud83d\ude00`, "é", `a\"`, "\xff", "\x01", `\`} {
		var text []byte
		for len(text) < 150 {
			text = append(text, piece...)
			data := guarded(t, text)
			ScanString(data, 0)
			PlainEnd(data, 0)
			ReadText(nil, data, 0)
			// The memory that text is written to ends at a page too.
			ReadText(guarded(t, make([]byte, len(text)))[:0], data, 0)
			s := NewScanner(guarded(t, append([]byte(`"`), append(text, '"')...)))
			s.Skip()
			s = NewScanner(guarded(t, append([]byte(`{"`), append(text, `":1}`...)...)))
			s.Hop()
			s.Pos = 0
			s.Skip()
			_, _ = AppendString(nil, Shared(data))
		}
	}
}
