package recording

import (
	"crypto/rand"
	"fmt"
	"regexp"
)

// idKind is a kind of ids that a CLI makes up.
type idKind struct {
	re      *regexp.Regexp // also finds the stand-ins
	standIn string         // format of the stand-in, by number
	fresh   func() string
}

var idKinds = []idKind{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "00000000-0000-4000-8000-%012d", newUUID},
	{regexp.MustCompile(`\ba[0-9a-f]{16}\b`), "a%016d", func() string { return fmt.Sprintf("a%x", random(8)) }},                                  // of a subagent
	{regexp.MustCompile(`\b0[0-9a-z]{8}-[0-9a-f]{8}\b`), "000000000-%08d", func() string { return fmt.Sprintf("0%x-%x", random(4), random(4)) }}, // of a subagent's run
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return b
}

func newUUID() string {
	b := random(16)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// hide returns the stand-in of an id.
func (n *Names) hide(kind *idKind, id string) string {
	s, ok := n.ids[id]
	if !ok {
		for taken := true; taken; _, taken = n.real[s] { // show may have given out a later one
			n.counts[kind]++
			s = fmt.Sprintf(kind.standIn, n.counts[kind])
		}
		n.ids[id], n.real[s] = s, id
	}
	return s
}

// show returns the id behind a stand-in. One that has not appeared yet is made.
func (n *Names) show(kind *idKind, standIn string) string {
	id, ok := n.real[standIn]
	if !ok {
		id = kind.fresh()
		n.ids[id], n.real[standIn] = standIn, id
	}
	return id
}
