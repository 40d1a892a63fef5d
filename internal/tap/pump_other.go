//go:build !unix

package tap

import (
	"os"
	"time"
)

// drain is how long what the CLI wrote last may take to arrive once it has ended.
const drain = 500 * time.Millisecond

// A gate tells pumps that the CLI has ended.
type gate struct{ ended chan struct{} }

func newGate() (*gate, error) { return &gate{make(chan struct{})}, nil }

// shut may be called once.
func (g *gate) shut() { close(g.ended) }

// pump passes bytes from src to dst until src ends or dst is gone, or for a moment after the gate
// is shut. Each piece is shown to see before it is passed on.
func pump(dst, src *os.File, g *gate, see func(p []byte)) {
	done := make(chan struct{})
	go func() { // ends with src, or with the process
		defer close(done)
		buf := make([]byte, 64<<10)
		for {
			n, err := src.Read(buf)
			if n > 0 {
				see(buf[:n])
				if _, err := dst.Write(buf[:n]); err != nil {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	select {
	case <-done:
		return
	case <-g.ended:
	}
	select {
	case <-done:
	case <-time.After(drain):
	}
}

func hangUp(f *os.File) { f.Close() }

func widen(*os.File) {}
