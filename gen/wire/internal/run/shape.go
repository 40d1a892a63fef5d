package run

import "sync/atomic"

// A Shape is what a reader must know of an object: its members, in the order in which they usually
// come.
type Shape struct {
	Keys   []string // of the members, by number, as in a line: `"name":`
	Need   Bits     // members that are required
	Tags   []int    // members that tell the arms of a union apart
	Legacy []string // members that only older peers send

	places atomic.Pointer[places] // made when a member is first looked up
}

// name returns the name of a member.
func (s *Shape) name(i int) string { return s.Keys[i][1 : len(s.Keys[i])-2] }

// places are the numbers of the members, from 1, by the hash of their names. Where names share a
// hash, it is the number of the first.
type places [64]uint8

func hash(name []byte) int {
	n := len(name)
	if n == 0 {
		return 0
	}
	return (5*n + int(name[0]) + 7*int(name[n-1])) & 63
}

// member returns the number of the member, or -1.
func (s *Shape) member(name []byte) int {
	p := s.places.Load()
	if p == nil {
		p = s.fill()
	}
	for i := int(p[hash(name)]) - 1; i >= 0 && i < len(s.Keys); i++ {
		if k := s.Keys[i]; len(k) == len(name)+3 && k[1:len(k)-2] == string(name) {
			return i
		}
	}
	return -1
}

// fill makes the places. Two goroutines may do so at a time, with the same result.
func (s *Shape) fill() *places {
	p := new(places)
	for i := len(s.Keys) - 1; i >= 0; i-- {
		p[hash([]byte(s.name(i)))] = uint8(i + 1)
	}
	s.places.Store(p)
	return p
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
