package run

import (
	"slices"
	"sync/atomic"

	"github.com/ccwire/ccwire/internal/jsontext"
)

// A Shape is what a reader must know of an object: its members, in the order in which they usually
// come.
type Shape struct {
	Keys   []string // of the members, by number, as in a line: `"name":`
	Need   Bits     // members that are required
	Core   Bits     // those of them without which the object is of no use; the tags are too
	Tags   []int    // members that tell the arms of a union apart
	Legacy []string // members that only older peers send
	// Untyped are members that the schema names and that have no field. They are kept beside those
	// that it does not name.
	Untyped []string

	index atomic.Pointer[index] // made when an object is first read
}

// name returns the name of a member.
func (s *Shape) name(i int) string { return s.Keys[i][1 : len(s.Keys[i])-2] }

// An index tells which member is next.
type index struct {
	// places are the numbers of the members, from 1, by the hash of their names. Where names share
	// a hash, it is the number of the first.
	places [64]uint8
	// keys are those of Shape.Keys. Before them is one that nothing begins with, for the begin of
	// the object.
	keys []key
}

// A key is one of Shape.Keys, with its first 16 bytes as two words: those that it has and that the
// masks let through.
type key struct {
	word1, word2, mask1, mask2 uint64

	size int
	rest string // after the words
	// after has the numbers of the two members that came next after this one in the objects before:
	// the last one that was not expected in the low byte.
	after atomic.Uint32
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

// next returns the number of the member that text begins with, if it is one that came next after a
// member before, else -1. Member -1 is the begin of the object.
func (x *index) next(member int, text []byte) int {
	if len(text) < 16 {
		return -1
	}
	after := x.keys[member+1].after.Load()
	if i := int(after & 0xff); i+1 < len(x.keys) && x.keys[i+1].begins(text) {
		return i
	}
	if i := int(after >> 8); i+1 < len(x.keys) && x.keys[i+1].begins(text) {
		return i
	}
	return -1
}

// begins reports whether text, which has 16 bytes or more, begins with the key.
func (k *key) begins(text []byte) bool {
	return (jsontext.Load8(text, 0)^k.word1)&k.mask1|(jsontext.Load8(text, 8)^k.word2)&k.mask2 == 0 && k.ends(text)
}

// ends reports whether text has what is after the key's words.
func (k *key) ends(text []byte) bool {
	return k.rest == "" || len(text) >= k.size && string(text[16:k.size]) == k.rest
}

// learn remembers that member i came next after the key. Goroutines may get into each other's way,
// which costs time and nothing else.
func (k *key) learn(i int) { k.after.Store(uint32(i) | k.after.Load()&0xff<<8) }

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
	x := &index{keys: make([]key, len(s.Keys)+1)}
	for i := len(s.Keys) - 1; i >= 0; i-- {
		var words, masks [16]byte
		n := copy(words[:], s.Keys[i])
		for j := 0; j < n; j++ {
			masks[j] = 0xff
		}
		k := &x.keys[i+1]
		k.size, k.rest = len(s.Keys[i]), s.Keys[i][n:]
		k.word1, k.word2 = jsontext.Load8(words[:], 0), jsontext.Load8(words[:], 8)
		k.mask1, k.mask2 = jsontext.Load8(masks[:], 0), jsontext.Load8(masks[:], 8)
		x.places[hash([]byte(s.name(i)))] = uint8(i + 1)
	}
	for i := range x.keys {
		x.keys[i].after.Store(uint32(i) | uint32(i+1)<<8)
	}
	s.index.Store(x)
	return x
}

// essential reports whether an object without the member is of no use.
func (s *Shape) essential(i int) bool { return s.Core.has(i) || slices.Contains(s.Tags, i) }

// contains reports whether a name is in a list.
func contains(list []string, name []byte) bool {
	for _, s := range list {
		if s == string(name) {
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
