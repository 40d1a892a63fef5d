//go:build !ccwire_safe

package jsontext

import (
	"encoding/binary"
	"unsafe"
)

// This is the package's only use of unsafe: strings that share the bytes of a buffer which nobody
// writes to again, and loads and stores without a bounds check. The build tag ccwire_safe replaces
// it by safe.go.

// Shared returns the bytes as a string that shares their memory; nobody may write to them again.
func Shared(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Load8 returns the eight bytes at b[i:]; the caller has checked the length.
func Load8(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))[:])
}

// loadString8 is Load8 for a string.
func loadString8(s string, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i))[:])
}

// Store8 stores eight bytes at b[i:]; the caller has checked the length.
func Store8(b []byte, i int, x uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))[:], x)
}
