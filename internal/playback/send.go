package playback

import (
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/recording"
)

// send sends a line when it is its time.
func (g *game) send(entry int, l line) error {
	text := l.text
	if request, answers := g.asked[l.id]; answers && l.kind == "control_response" {
		i := g.asker(request)
		if i < 0 {
			g.note("entry %d was not sent: nobody asks for %s", entry, strings.Join(strings.Fields(request.asks), " "))
			return nil
		}
		asks := g.open[i]
		g.open = slices.Delete(g.open, i, i+1)
		for name, id := range ids(request.text) { // of that very request
			if is := ids(asks.text)[name]; is != "" && is != id {
				g.ids[id] = is
			}
		}
		text = withID(text, request.id, asks.id, request.rpc, asks.rpc)
	} else {
		g.catchUp(entry)
	}
	text = g.withIDs(text)
	g.Add(recording.Entry{Dir: g.Half, Line: text})
	if _, err := g.out.Write([]byte(text + "\n")); err != nil {
		g.note("entry %d was not sent: the peer has closed its end", entry)
	}
	return g.ctx.Err()
}

// withIDs puts the ids of the peer in the place of those of the recording.
func (g *game) withIDs(text string) string {
	if len(g.ids) == 0 {
		return text
	}
	var pairs []string
	for was, is := range g.ids {
		pairs = append(pairs, `"`+was+`"`+"\x00"+`"`+is+`"`)
	}
	sort.Strings(pairs)
	var list []string
	for _, p := range pairs {
		was, is, _ := strings.Cut(p, "\x00")
		list = append(list, was, is)
	}
	return strings.NewReplacer(list...).Replace(text)
}

// asker waits for a request that asks what one in the recording asks, and returns its number among
// the open ones; -1 if none comes.
func (g *game) asker(request line) int {
	at := -1
	find := func(same func(*line) bool) bool {
		at = slices.IndexFunc(g.open, func(l line) bool { return same(&l) })
		return at >= 0
	}
	if !g.wait(func() bool { return find(func(l *line) bool { return l.asks == request.asks }) }) {
		find(func(l *line) bool { return l.subtype() == request.subtype() })
	}
	return at
}

// caughtUp reports whether the peer is as far as it was in the recording.
func (g *game) caughtUp() bool {
	return g.last == "" || len(g.came[g.last]) >= len(g.recorded[g.last])
}

// catchUp waits until the peer is as far as it was in the recording.
func (g *game) catchUp(entry int) {
	if !g.wait(g.caughtUp) {
		g.note("entry %d was sent, though only %d of %d lines of the kind %s had come", entry, len(g.came[g.last]), len(g.recorded[g.last]), g.last)
		g.last = "" // it was told
	}
}

// wait takes what comes until a condition holds. It is false if the peer is quiet for too long.
func (g *game) wait(holds func() bool) bool {
	quiet := time.NewTimer(g.Patience)
	defer quiet.Stop()
	for {
		if holds() {
			return true
		}
		if g.closed {
			return false
		}
		select {
		case text, ok := <-g.in:
			if !ok {
				g.closed = true
				continue
			}
			g.take(read(text))
			quiet.Reset(g.Patience)
		case <-quiet.C:
			return false
		case <-g.ctx.Done():
			return false
		}
	}
}
