//go:build !ccwire_safe

package codec

import (
	"encoding/binary"
	"unsafe"
)

// This is the package's only use of unsafe: strings that share the bytes of a
// buffer which nobody writes to again, and loads without a bounds check. The
// build tag ccwire_safe replaces it by safe.go.

func sharedString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// load8 returns the eight bytes at b[i:]; the caller has checked the length.
func load8(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))[:])
}

// loadString8 is load8 for a string.
func loadString8(s string, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i))[:])
}
