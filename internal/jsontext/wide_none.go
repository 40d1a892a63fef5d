//go:build !goexperiment.simd || !amd64 || ccwire_safe

package jsontext

const (
	wide    = 32
	hasWide = false
)

func specialWide([]byte, int) uint32 { panic("not reached") }

func skipWide([]byte, int) (int, bool) { panic("not reached") }
