package recording

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// idKind is a kind of ids that a CLI makes up.
type idKind struct {
	id      finder // also finds the stand-ins
	where   finder // where id finds words too: the places that show that one is an id
	standIn string // format of the stand-in, by number
	fresh   func() string
}

var idKinds = []idKind{
	{
		id:      find(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, 36, "-"),
		standIn: "00000000-0000-4000-8000-%012d",
		fresh:   newUUID,
	},
	{ // of a subagent
		id:      find(`\ba[0-9a-f]{16}\b`, 17, "a"),
		standIn: "a%016d",
		fresh:   func() string { return fmt.Sprintf("a%x", random(8)) },
	},
	{ // of a subagent's run
		id:      find(`\b0[0-9a-z]{8}-[0-9a-f]{8}\b`, 18, "-"),
		standIn: "000000000-%08d",
		fresh:   func() string { return fmt.Sprintf("0%x-%x", random(4), random(4)) },
	},
	{ // of a shell in the background
		id: find(`\bb[0-9a-z]{8}\b`, 9, "b"),
		where: find(`"(?:task_id|backgroundTaskId)":"(b[0-9a-z]{8})"|\b(?:ID: |\(task )(b[0-9a-z]{8})\b`, 13,
			`ask_id":"b`, `askId":"b`, "ID: b", "(task b"),
		standIn: "b%08d",
		fresh:   func() string { return fmt.Sprintf("b%x", random(4)) },
	},
	{ // of a job that runs at set times
		id:      find(`\b[0-9a-f]{8}\b`, 8, ""),
		where:   find(`"id":"([0-9a-f]{8})","humanSchedule"|\bjob ([0-9a-f]{8})\b`, 12, `","humanSchedule"`, "job "),
		standIn: "c%07d",
		fresh:   func() string { return fmt.Sprintf("%x", random(4)) },
	},
	{ // of a connection to an MCP server, before the number of a request
		id:      find(`\b[0-9a-f]{8}\b`, 8, ""),
		where:   find(`"id":"([0-9a-f]{8}):\d+"|"requestId":"([0-9a-f]{8}):\d+"`, 17, `d":"`),
		standIn: "e%07d",
		fresh:   func() string { return fmt.Sprintf("%x", random(4)) },
	},
	{ // of the folder that a diff is of
		id:      find(`[\w-]{22}`, 22, ""),
		where:   find(`"rootId":"([\w-]{22})"`, 33, `"rootId":"`),
		standIn: "r%021d",
		fresh:   func() string { return base64.RawURLEncoding.EncodeToString(random(16)) },
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

// isWord reports whether words have the form of the ids, so that only their places tell.
func (k *idKind) isWord() bool { return k.where.re != nil }

// learn finds the ids of a line that only their places show. They are ids everywhere after it.
func (n *Names) learn(line string) {
	for i := range idKinds {
		if kind := &idKinds[i]; kind.where.may(line) {
			for _, m := range kind.where.re.FindAllStringSubmatch(line, -1) {
				n.hide(kind, strings.Join(m[1:], ""))
			}
		}
	}
}

// hideAll replaces the ids of a kind.
func (n *Names) hideAll(kind *idKind, text string) string {
	if !kind.id.may(text) || kind.isWord() && !n.seen[kind] {
		return text
	}
	return kind.id.re.ReplaceAllStringFunc(text, func(id string) string {
		if _, known := n.ids[id]; kind.isWord() && !known {
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
		n.note(kind, id, s)
	}
	return s
}

// showAll replaces the stand-ins of a kind.
func (n *Names) showAll(kind *idKind, text string) string {
	if !kind.id.may(text) {
		return text
	}
	return kind.id.re.ReplaceAllStringFunc(text, func(s string) string {
		if kind.isWord() && !kind.isStandIn(s) {
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

// standIns are the forms of the stand-ins of all kinds of ids.
var standIns = func() (forms []standIn) {
	for i := range idKinds {
		prefix, width, _ := strings.Cut(idKinds[i].standIn, "%0")
		digits, _ := strconv.Atoi(strings.TrimSuffix(width, "d"))
		forms = append(forms, standIn{prefix, digits})
	}
	return forms
}()

// CutIDs returns a scrubbed text with a mark in the place of each stand-in of an id, and these.
func CutIDs(text string) (rest string, ids []string) {
	var b strings.Builder
	done := 0 // bytes of the text that are in b
	for i := 0; i < len(text); i++ {
		if i > 0 && isWord(text[i-1]) || !isWord(text[i]) {
			continue
		}
		for _, form := range standIns {
			if n := form.end(text[i:]); n > 0 {
				ids = append(ids, text[i:i+n])
				b.WriteString(text[done:i])
				b.WriteString("[id]")
				done = i + n
				i = done - 1
				break
			}
		}
	}
	b.WriteString(text[done:])
	return b.String(), ids
}

// note keeps an id with its stand-in.
func (n *Names) note(kind *idKind, id, standIn string) {
	n.ids[id], n.real[standIn] = standIn, id
	n.seen[kind] = true
}

// show returns the id behind a stand-in. One that has not appeared yet is made.
func (n *Names) show(kind *idKind, standIn string) string {
	id, ok := n.real[standIn]
	if !ok {
		id = kind.fresh()
		n.note(kind, id, standIn)
	}
	return id
}
