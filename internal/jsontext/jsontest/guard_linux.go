package jsontest

import (
	"syscall"
	"testing"
)

// Guarded returns a copy of text in memory that ends where a page begins that nobody may touch.
// What looks after the text crashes.
func Guarded(t testing.TB, text []byte) []byte {
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
