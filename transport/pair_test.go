package transport

import (
	"io"
	"os"
	"testing"

	"github.com/ccwire/ccwire/codec"
)

type appender = codec.Appender

// rawBody is the body of an answer as text.
type rawBody string

func (b rawBody) AppendJSON(dst []byte) ([]byte, error) { return append(dst, b...), nil }

// connPair returns the two ends of one connection.
func connPair(t testing.TB, left, right *ConnOptions) (*Conn, *Conn) {
	t.Helper()
	r1, w1 := io.Pipe()
	r2, w2 := io.Pipe()
	for _, o := range []*ConnOptions{left, right} {
		if o.Logger == nil {
			o.Logger = quiet
		}
	}
	a, b := NewConn(r1, w2, left), NewConn(r2, w1, right)
	t.Cleanup(func() {
		a.Close()
		b.Close()
	})
	return a, b
}

// osPair is connPair over pipes of the operating system. It checks that nothing is left of them.
func osPair(t testing.TB, left, right *ConnOptions) (*Conn, *Conn) {
	t.Helper()
	checkLeaks(t)
	r1, w1 := osPipe(t)
	r2, w2 := osPipe(t)
	left.Logger, right.Logger = quiet, quiet
	a, b := NewConn(r1, w2, left), NewConn(r2, w1, right)
	t.Cleanup(func() {
		a.Close()
		b.Close()
	})
	return a, b
}

func osPipe(t testing.TB) (*os.File, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}
