//go:build ccwire_safe

package jsontext

import "encoding/binary"

// Shared returns the bytes as a string.
func Shared(b []byte) string { return string(b) }

// Load8 returns the eight bytes at b[i:].
func Load8(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

func loadString8(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func Store8(b []byte, i int, x uint64) { binary.LittleEndian.PutUint64(b[i:], x) }
