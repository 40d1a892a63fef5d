//go:build ccwire_safe

package codec

import "encoding/binary"

func sharedString(b []byte) string { return string(b) }

func load8(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }
