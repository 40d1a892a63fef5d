package playback

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/recording"
)

// A Player plays one half of a recording.
type Player struct {
	Half recording.Dir // ToCLI: what the SDK wrote; ToSDK: what the CLI wrote

	// Patience is how long the peer may be quiet before the recording goes on without it.
	Patience time.Duration

	Note func(string) // gets what was not as in the recording; may be nil

	mu     sync.Mutex // guards the fields below
	played []recording.Entry
	begun  time.Time
}

// Add adds an entry to what was played, such as a line of stderr.
func (p *Player) Add(e recording.Entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.begun.IsZero() {
		p.begun = time.Now()
	}
	if e.Dir != recording.Header {
		e.Time = float64(time.Since(p.begun).Microseconds()) / 1000
	}
	p.played = append(p.played, e)
}

// Played returns what was played and what came.
func (p *Player) Played() []recording.Entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.played
}

func (p *Player) note(format string, args ...any) {
	if p.Note != nil {
		p.Note(fmt.Sprintf(format, args...))
	}
}

// peer is the other half.
func (p *Player) peer() recording.Dir {
	if p.Half == recording.ToCLI {
		return recording.ToSDK
	}
	return recording.ToCLI
}

// game is one run of a Player.
type game struct {
	*Player
	ctx    context.Context
	in     <-chan string
	closed bool
	out    io.Writer

	recorded map[string][]line // lines of the peer in the recording up to here, by kind
	last     string            // the kind of the last of them
	asked    map[string]line   // requests of the peer in the recording, by id
	came     map[string][]line // what really came, by kind
	open     []line            // requests that came and are not answered
	ids      map[string]string // those of the peer, by those in the recording
}

// Play plays the half of the entries: it reads what the peer writes, and writes to the peer. As an
// SDK it closes out where the SDK closed its end, or at the end, and then waits for the peer's end;
// as a CLI it waits for the end of its input if that was closed in the recording.
func (p *Player) Play(ctx context.Context, entries []recording.Entry, in io.Reader, out io.WriteCloser) error {
	lines, err := recording.Lines(entries)
	if err != nil {
		return err
	}
	g := &game{Player: p, ctx: ctx, in: p.listen(ctx, in), out: out,
		recorded: map[string][]line{}, asked: map[string]line{}, came: map[string][]line{}, ids: map[string]string{}}
	next := 0
	for i := range entries {
		for ; next < len(lines) && lines[next].Entry == i; next++ {
			l := read(string(lines[next].Text))
			if lines[next].Dir != p.Half {
				g.expect(l)
			} else if err := g.send(i+1, l); err != nil {
				return err
			}
		}
		switch e := &entries[i]; {
		case e.Dir == p.Half && e.Truncated > 0:
			p.note("entry %d was not sent: the recording has only its start", i+1)
		case e.Dir == recording.EOF && p.Half == recording.ToCLI:
			g.catchUp(i + 1)
			p.Add(recording.Entry{Dir: recording.EOF})
			if err := out.Close(); err != nil {
				return err
			}
		case e.Dir == recording.Signal && p.Half == recording.ToCLI:
			p.note("entry %d, a signal, was not sent", i+1)
		}
	}
	switch {
	case p.Half == recording.ToCLI:
		_ = out.Close() // it may be closed
		g.wait(func() bool { return g.closed })
	case slices.ContainsFunc(entries, func(e recording.Entry) bool { return e.Dir == recording.EOF }):
		g.wait(func() bool { return g.closed })
	}
	return ctx.Err()
}

// listen reads lines in a goroutine, which ends with the input or the context. Of a line that is
// too long the start is kept, and nothing waits for it.
func (p *Player) listen(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string, 64)
	go func() {
		defer close(lines)
		r := bufio.NewReader(in)
		for {
			text, length, err := readLine(r)
			switch {
			case length > len(text):
				p.Add(recording.Entry{Dir: p.peer(), Line: strings.ToValidUTF8(string(text[:startLine]), ""), Truncated: length})
			case len(text) > 0:
				p.Add(recording.Written(p.peer(), text))
				select {
				case lines <- string(bytes.TrimSuffix(text, []byte("\n"))):
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// startLine is how much is kept of a line that is too long.
const startLine = 1000

// readLine reads a line with its LF, and returns its length: the text is cut if that is over the
// limit of lines.
func readLine(r *bufio.Reader) (text []byte, length int, err error) {
	for {
		part, err := r.ReadSlice('\n')
		length += len(part)
		text = append(text, part[:min(len(part), codec.DefaultMaxLine+1-len(text))]...) // and the LF
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, length, err
		}
	}
}

// expect notes a line of the peer in the recording.
func (g *game) expect(l line) {
	if l.kind == "" {
		return
	}
	g.recorded[l.kind] = append(g.recorded[l.kind], l)
	g.last = l.kind
	if l.asks != "" {
		g.asked[l.id] = l
	}
	g.learn(l.kind, len(g.recorded[l.kind])-1)
}

// take notes a line that came.
func (g *game) take(l line) {
	if l.kind == "" {
		return
	}
	g.came[l.kind] = append(g.came[l.kind], l)
	if l.asks != "" {
		g.open = append(g.open, l)
	}
	g.learn(l.kind, len(g.came[l.kind])-1)
}

// learn pairs the ids of the lines of a kind that have the same number.
func (g *game) learn(kind string, n int) {
	if n >= len(g.recorded[kind]) || n >= len(g.came[kind]) {
		return
	}
	is := ids(g.came[kind][n].text)
	for name, id := range ids(g.recorded[kind][n].text) {
		if other := is[name]; other != "" && other != id {
			g.ids[id] = other
		}
	}
}
