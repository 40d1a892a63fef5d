package peertest

import (
	"bufio"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/ccwire/ccwire/codec"
)

// Peer is the other end of a Conn in a synctest bubble: it writes lines as they are and collects
// what the Conn writes.
type Peer struct {
	testing.TB
	in  *io.PipeReader // from the Conn
	out *io.PipeWriter // to the Conn

	paused atomic.Bool
	resume chan struct{} // closed by Resume

	mu    sync.Mutex // guards the fields below
	lines []string   // from the Conn, not looked at yet
	eof   bool       // the Conn closed our input
}

// NewPeer returns a peer and the two ends of its pipes that a Conn needs.
func NewPeer(t testing.TB) (*Peer, io.ReadCloser, io.WriteCloser) {
	p, r, w := newPeer(t)
	go p.collect() // ends when the Conn closes its writer
	return p, r, w
}

// NewDeafPeer is NewPeer for a peer that reads nothing until Resume.
func NewDeafPeer(t testing.TB) (*Peer, io.ReadCloser, io.WriteCloser) {
	p, r, w := newPeer(t)
	go func() { // ends when the Conn closes its writer, after Resume
		<-p.resume
		p.collect()
	}()
	return p, r, w
}

func newPeer(t testing.TB) (*Peer, io.ReadCloser, io.WriteCloser) {
	in, w := io.Pipe()
	r, out := io.Pipe()
	return &Peer{TB: t, in: in, out: out, resume: make(chan struct{})}, r, w
}

func (p *Peer) collect() {
	lines := bufio.NewReader(p.in)
	for {
		line, err := lines.ReadString('\n')
		if p.paused.Load() {
			<-p.resume
		}
		p.mu.Lock()
		if line != "" {
			p.lines = append(p.lines, strings.TrimSuffix(line, "\n"))
		}
		p.eof = err != nil
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Pause makes the peer read nothing more until Resume. Its input stays open.
func (p *Peer) Pause() { p.paused.Store(true) }

// Resume ends a Pause. It is called once.
func (p *Peer) Resume() { close(p.resume) }

// Break closes the peer's input on the peer's side.
func (p *Peer) Break() { p.in.Close() }

// Raw sends bytes to the Conn as they are. It fails when nobody reads them any more.
func (p *Peer) Raw(text string) error {
	_, err := io.WriteString(p.out, text)
	return err
}

// Say sends lines to the Conn.
func (p *Peer) Say(lines ...string) {
	p.Helper()
	for _, line := range lines {
		if err := p.Raw(line + "\n"); err != nil {
			p.Fatalf("write %.100s: %v", line, err)
		}
	}
}

// End closes the Conn's source.
func (p *Peer) End() { p.out.Close() }

// Fail ends the Conn's source with an error.
func (p *Peer) Fail(err error) { p.out.CloseWithError(err) }

// Sent waits until nothing moves any more and returns what the Conn has sent since the last call.
func (p *Peer) Sent() []string {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := p.lines
	p.lines = nil
	return lines
}

// One returns the only line that the Conn has sent.
func (p *Peer) One() string {
	p.Helper()
	lines := p.Sent()
	if len(lines) != 1 {
		p.Fatalf("sent %d lines, want 1: %q", len(lines), lines)
	}
	return lines[0]
}

// Nothing fails if the Conn has sent something.
func (p *Peer) Nothing() {
	p.Helper()
	if lines := p.Sent(); len(lines) != 0 {
		p.Fatalf("sent %q, want nothing", lines)
	}
}

// Closed reports whether the Conn closed our input.
func (p *Peer) Closed() bool {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.eof
}

// RequestID returns the id of the only line, which must be a request of the subtype.
func (p *Peer) RequestID(subtype string) string {
	p.Helper()
	line := p.One()
	got, _ := codec.Raw(line).Find("/request/subtype").Text()
	id, ok := codec.Raw(line).Find("/request_id").Text()
	if !ok || got != subtype {
		p.Fatalf("sent %s, want a request %s", line, subtype)
	}
	return id
}
