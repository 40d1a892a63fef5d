package run

import (
	"sync/atomic"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// A Shape is what a reader must know of an object: its members, in the order in which they usually
// come.
type Shape struct {
	Keys   []string // of the members, by number, as in a line: `"name":`
	Need   Bits     // members that are required
	Tags   []int    // members that tell the arms of a union apart
	Legacy []string // members that only older peers send

	index atomic.Pointer[index] // made when an object is first read
}

// name returns the name of a member.
func (s *Shape) name(i int) string { return s.Keys[i][1 : len(s.Keys[i])-2] }

// An index tells which member is next.
type index struct {
	// places are the numbers of the members, from 1, by the hash of their names. Where names share
	// a hash, it is the number of the first.
	places [64]uint8
	// after has, for each member and before that for the begin of the object, the numbers of the
	// two members that came next in the objects before: the last one in the low byte.
	after []atomic.Uint32
	keys  []key
}

// A key is one of Shape.Keys, with its first eight bytes as a word: those that it has and that the
// mask lets through.
type key struct {
	word, mask uint64
	text       string
}

func hash(name []byte) int {
	n := len(name)
	if n == 0 {
		return 0
	}
	return (5*n + int(name[0]) + 7*int(name[n-1])) & 63
}

// member returns the number of the member, or -1.
func (s *Shape) member(name []byte) int {
	for i := int(s.indexed().places[hash(name)]) - 1; i >= 0 && i < len(s.Keys); i++ {
		if k := s.Keys[i]; len(k) == len(name)+3 && k[1:len(k)-2] == string(name) {
			return i
		}
	}
	return -1
}

// next returns the number of the member that text begins with, if it has come next after a member
// before, else -1. Member -1 is the begin of the object.
func (x *index) next(member int, text []byte) int {
	after := &x.after[member+1]
	seen := after.Load()
	if i := int(seen & 0xff); i < len(x.keys) && x.keys[i].begins(text) {
		return i
	}
	if i := int(seen >> 8); i < len(x.keys) && x.keys[i].begins(text) {
		after.Store(seen>>8 | seen&0xff<<8)
		return i
	}
	return -1
}

// begins reports whether text begins with the key.
func (k *key) begins(text []byte) bool {
	if len(text) < len(k.text) || len(text) < 8 || (jsontext.Load8(text, 0)^k.word)&k.mask != 0 {
		return false
	}
	return len(k.text) <= 8 || string(text[8:len(k.text)]) == k.text[8:]
}

// learn remembers that member i came next after a member. Goroutines may get into each other's way,
// which costs time and nothing else.
func (x *index) learn(member, i int) {
	after := &x.after[member+1]
	after.Store(uint32(i) | after.Load()&0xff<<8)
}

func (s *Shape) indexed() *index {
	if x := s.index.Load(); x != nil {
		return x
	}
	return s.makeIndex()
}

// makeIndex makes the index. Two goroutines may do so at a time.
//
//go:noinline
func (s *Shape) makeIndex() *index {
	x := &index{after: make([]atomic.Uint32, len(s.Keys)+1), keys: make([]key, len(s.Keys))}
	for i := len(s.Keys) - 1; i >= 0; i-- {
		var word, mask [8]byte
		for j := range min(copy(word[:], s.Keys[i]), len(mask)) {
			mask[j] = 0xff
		}
		x.keys[i] = key{jsontext.Load8(word[:], 0), jsontext.Load8(mask[:], 0), s.Keys[i]}
		x.places[hash([]byte(s.name(i)))] = uint8(i + 1)
	}
	for i := range x.after {
		x.after[i].Store(uint32(i) | uint32(i+1)<<8)
	}
	s.index.Store(x)
	return x
}

// legacy reports whether only older peers send the member.
func (s *Shape) legacy(key []byte) bool {
	for _, name := range s.Legacy {
		if name == string(key) {
			return true
		}
	}
	return false
}

// Bits is a set of members, by their number.
type Bits [2]uint64

// MaxMembers is how many members a Shape may have.
const MaxMembers = 128

func (b *Bits) has(i int) bool { return b[i>>6&1]&(1<<(i&63)) != 0 }
func (b *Bits) add(i int)      { b[i>>6&1] |= 1 << (i & 63) }
