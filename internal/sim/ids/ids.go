// Package ids makes what the CLI gives its lines by itself: random ids, and the time.
package ids

import (
	"crypto/rand"
	"encoding/hex"
	"math/big"
	"sync"
	"time"
)

// randomness gives random bytes, many at a time: each line has an id.
var randomness = struct {
	sync.Mutex
	left []byte
}{}

func random(b []byte) {
	randomness.Lock()
	defer randomness.Unlock()
	if len(randomness.left) < len(b) {
		randomness.left = make([]byte, 4096)
		rand.Read(randomness.left) // never fails
	}
	copy(b, randomness.left)
	randomness.left = randomness.left[len(b):]
}

// UUID returns a random UUID.
func UUID() string {
	var b [16]byte
	random(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	var s [36]byte
	hex.Encode(s[:], b[:4])
	hex.Encode(s[9:], b[4:6])
	hex.Encode(s[14:], b[6:8])
	hex.Encode(s[19:], b[8:10])
	hex.Encode(s[24:], b[10:])
	s[8], s[13], s[18], s[23] = '-', '-', '-', '-'
	return string(s[:])
}

// Hex returns n random bytes in hexadecimal.
func Hex(n int) string {
	b := make([]byte, n)
	random(b)
	return hex.EncodeToString(b)
}

// Agent returns the id of a subagent.
func Agent() string { return "a" + Hex(8) }

// Run returns the id of a run of a subagent.
func Run() string { return "0" + base36(8) + "-" + Hex(4) }

// Shell returns the id of a shell in the background.
func Shell() string { return "b" + base36(8) }

func base36(n int) string {
	b := make([]byte, n)
	random(b)
	text := new(big.Int).SetBytes(b).Text(36)
	for len(text) < n {
		text = "0" + text
	}
	return text[len(text)-n:]
}

// Now returns the time as the CLI writes it.
func Now() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000Z") }
