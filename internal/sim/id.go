package sim

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

// newUUID returns a random UUID.
func newUUID() string {
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

// newHex returns n random bytes in hexadecimal.
func newHex(n int) string {
	b := make([]byte, n)
	random(b)
	return hex.EncodeToString(b)
}

// newAgentID returns the id of a subagent.
func newAgentID() string { return "a" + newHex(8) }

// newRunID returns the id of a run of a subagent.
func newRunID() string { return "0" + newBase36(8) + "-" + newHex(4) }

// newShellID returns the id of a shell in the background.
func newShellID() string { return "b" + newBase36(8) }

func newBase36(n int) string {
	b := make([]byte, n)
	random(b)
	text := new(big.Int).SetBytes(b).Text(36)
	for len(text) < n {
		text = "0" + text
	}
	return text[len(text)-n:]
}

// now returns the time as the CLI writes it.
func now() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000Z") }
