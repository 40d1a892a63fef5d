package recording

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"strings"
)

// idKind is a kind of ids that a CLI makes up.
type idKind struct {
	re      *regexp.Regexp // also finds the stand-ins
	where   *regexp.Regexp // where re finds words too: the places that show that one is an id
	standIn string         // format of the stand-in, by number
	fresh   func() string
}

var idKinds = []idKind{
	{
		re:      regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`),
		standIn: "00000000-0000-4000-8000-%012d",
		fresh:   newUUID,
	},
	{ // of a subagent
		re:      regexp.MustCompile(`\ba[0-9a-f]{16}\b`),
		standIn: "a%016d",
		fresh:   func() string { return fmt.Sprintf("a%x", random(8)) },
	},
	{ // of a subagent's run
		re:      regexp.MustCompile(`\b0[0-9a-z]{8}-[0-9a-f]{8}\b`),
		standIn: "000000000-%08d",
		fresh:   func() string { return fmt.Sprintf("0%x-%x", random(4), random(4)) },
	},
	{ // of a shell in the background
		re:      regexp.MustCompile(`\bb[0-9a-z]{8}\b`),
		where:   regexp.MustCompile(`"(?:task_id|backgroundTaskId)":"(b[0-9a-z]{8})"|\b(?:ID: |\(task )(b[0-9a-z]{8})\b`),
		standIn: "b%08d",
		fresh:   func() string { return fmt.Sprintf("b%x", random(4)) },
	},
	{ // of a job that runs at set times
		re:      regexp.MustCompile(`\b[0-9a-f]{8}\b`),
		where:   regexp.MustCompile(`"id":"([0-9a-f]{8})","humanSchedule"|\bjob ([0-9a-f]{8})\b`),
		standIn: "c%07d",
		fresh:   func() string { return fmt.Sprintf("%x", random(4)) },
	},
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

// learn finds the ids of a line that only their places show. They are ids everywhere after it.
func (n *Names) learn(line string) {
	for i := range idKinds {
		if kind := &idKinds[i]; kind.where != nil {
			for _, m := range kind.where.FindAllStringSubmatch(line, -1) {
				n.hide(kind, m[1]+m[2])
			}
		}
	}
}

// hideAll replaces the ids of a kind.
func (n *Names) hideAll(kind *idKind, text string) string {
	return kind.re.ReplaceAllStringFunc(text, func(id string) string {
		if _, known := n.ids[id]; kind.where != nil && !known {
			return id
		}
		return n.hide(kind, id)
	})
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

// showAll replaces the stand-ins of a kind.
func (n *Names) showAll(kind *idKind, text string) string {
	return kind.re.ReplaceAllStringFunc(text, func(s string) string {
		if kind.where != nil && !kind.isStandIn(s) {
			return s
		}
		return n.show(kind, s)
	})
}

// isStandIn tells a stand-in from a word of the same form.
func (k *idKind) isStandIn(s string) bool {
	var number int
	_, err := fmt.Sscanf(s, k.standIn, &number)
	return err == nil && fmt.Sprintf(k.standIn, number) == s
}

// standIns finds the stand-ins of ids.
var standIns = func() *regexp.Regexp {
	var forms []string
	for i := range idKinds {
		form := regexp.MustCompile(`%0(\d+)d`).ReplaceAllString(idKinds[i].standIn, `\d{$1}`)
		forms = append(forms, `\b`+form+`\b`)
	}
	return regexp.MustCompile(strings.Join(forms, "|"))
}()

// CutIDs returns a scrubbed text with a mark in the place of each stand-in of an id, and these.
func CutIDs(text string) (rest string, ids []string) {
	rest = standIns.ReplaceAllStringFunc(text, func(id string) string {
		ids = append(ids, id)
		return "[id]"
	})
	return rest, ids
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
