//go:build goexperiment.simd && amd64 && !ccwire_safe

package jsontext

import (
	"math/bits"
	"simd/archsimd"
)

// With GOEXPERIMENT=simd the text of strings is looked at 32 bytes at a time. wide_none.go is for
// every other build.

// wide is how many bytes they are.
const wide = 32

// hasWide says that the processor can do it.
var hasWide = archsimd.X86.AVX2()

// special16 returns a bit for each of 16 bytes that is a quote, a backslash, a control character or
// not ASCII.
func special16(x archsimd.Int8x16) uint32 {
	// As signed numbers, bytes that are not ASCII are below the space too.
	m := archsimd.BroadcastInt8x16(' ').Greater(x)
	m = m.Or(x.Equal(archsimd.BroadcastInt8x16('"')))
	return uint32(m.Or(x.Equal(archsimd.BroadcastInt8x16('\\'))).ToBits())
}

// specialWide returns a bit for each of the 32 bytes at data[i:] that is special.
func specialWide(data []byte, i int) uint32 {
	from := (*[wide]byte)(data[i:])
	a := archsimd.LoadUint8x16((*[16]byte)(from[:])).AsInt8x16()
	b := archsimd.LoadUint8x16((*[16]byte)(from[16:])).AsInt8x16()
	return special16(a) | special16(b)<<16
}

// equal32 returns a bit for each of 32 bytes that is c.
func equal32(a, b archsimd.Int8x16, c int8) uint64 {
	x := archsimd.BroadcastInt8x16(c)
	return uint64(a.Equal(x).ToBits()) | uint64(b.Equal(x).ToBits())<<16
}

// letters16 returns a bit for each of 16 bytes that may follow a backslash and stand for itself.
func letters16(x archsimd.Int8x16) uint64 {
	m := x.Equal(archsimd.BroadcastInt8x16('n')).Or(x.Equal(archsimd.BroadcastInt8x16('t')))
	m = m.Or(x.Equal(archsimd.BroadcastInt8x16('"'))).Or(x.Equal(archsimd.BroadcastInt8x16('\\')))
	m = m.Or(x.Equal(archsimd.BroadcastInt8x16('r'))).Or(x.Equal(archsimd.BroadcastInt8x16('/')))
	m = m.Or(x.Equal(archsimd.BroadcastInt8x16('b'))).Or(x.Equal(archsimd.BroadcastInt8x16('f')))
	return uint64(m.ToBits())
}

// skipWide moves over ASCII text and escapes of two characters, as far as it has 32 bytes to look
// at. It returns where it ends: at the closing quote, at what it does not take, and never inside an
// escape. It also returns whether it has seen an escape.
func skipWide(data []byte, i int) (end int, escapes bool) {
	behind := uint64(0) // 1 if the block before ended in a backslash that escapes
	for ; i+wide <= len(data); i += wide {
		from := (*[wide]byte)(data[i:])
		a := archsimd.LoadUint8x16((*[16]byte)(from[:])).AsInt8x16()
		b := archsimd.LoadUint8x16((*[16]byte)(from[16:])).AsInt8x16()
		space := archsimd.BroadcastInt8x16(' ')
		stop := uint64(space.Greater(a).ToBits()) | uint64(space.Greater(b).ToBits())<<16 | equal32(a, b, '"')
		slashes := equal32(a, b, '\\')
		if slashes|behind == 0 {
			if stop != 0 {
				return i + bits.TrailingZeros64(stop), escapes
			}
			continue
		}
		escapes = true
		// Of a run of backslashes, every second one is escaped. The runs that begin at odd places
		// are told from the others by the carry of an addition.
		const even, odd = 0x155555555, 0xaaaaaaaa
		slashes &^= behind
		follow := slashes<<1 | behind
		escaped := (even ^ (slashes+(slashes&odd&^follow))<<1) & follow
		behind = escaped >> wide
		escaped &= 1<<wide - 1
		stop &^= escaped
		wrong := escaped &^ (letters16(a) | letters16(b)<<16)
		at, bad := bits.TrailingZeros64(stop), bits.TrailingZeros64(wrong)
		if bad < at {
			return i + bad - 1, escapes
		}
		if stop != 0 {
			return i + at, escapes
		}
	}
	return i - int(behind), escapes
}
