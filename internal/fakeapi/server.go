package fakeapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/clienv"
)

// MaxRequestBytes is the largest body of a request that the server reads.
const MaxRequestBytes = 32 << 20

// ErrClosed is what Wait returns when the server closes before the condition holds.
var ErrClosed = errors.New("fakeapi: server closed")

// Server is a running fake API. Its methods are safe for use by several goroutines.
type Server struct {
	url      string
	director *director
	record   *record
	http     *http.Server
	closing  context.Context // ends when Close is called
	cancel   context.CancelFunc
	stop     func() bool    // forgets the context of Start
	running  sync.WaitGroup // the goroutine of Serve, and one count for each open connection
	closed   sync.Once
}

// Start plays the script on a free port of the loopback interface. When ctx ends the server closes;
// call Close in any case.
func Start(ctx context.Context, script Script) (*Server, error) {
	return Listen(ctx, "127.0.0.1:0", script)
}

// Listen is [Start] at an address that the caller chooses, such as 127.0.0.1:8080. The server asks
// nobody for a key: at an address that is not of the loopback interface, others can use it too.
func Listen(ctx context.Context, addr string, script Script) (*Server, error) {
	if err := script.Validate(); err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("fakeapi: %w", err)
	}
	return serve(ctx, l, script, MaxRequestBytes), nil
}

// serve plays the script on a listener, which it owns from now on.
func serve(ctx context.Context, l net.Listener, script Script, limit int64) *Server {
	s := &Server{url: "http://" + l.Addr().String(), director: newDirector(script), record: newRecord()}
	s.closing, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.http = &http.Server{
		Handler:           &handler{director: s.director, record: s.record, limit: limit, closing: s.closing, clock: script.clock()},
		BaseContext:       func(net.Listener) context.Context { return s.closing },
		ConnState:         s.count,
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	s.running.Go(func() { _ = s.http.Serve(l) }) // ends in Close, the error is always ErrServerClosed
	s.stop = context.AfterFunc(ctx, s.shut)
	return s
}

// count keeps the connections in running, from accept to close. No connection is ever hijacked.
func (s *Server) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.running.Add(1)
	case http.StateClosed:
		s.running.Done()
	}
}

// URL is the address for the client's base URL, without a slash at its end.
func (s *Server) URL() string { return s.url }

// Env returns the environment of a CLI that talks to this server and to nothing else: the base URL,
// a key that is none, and what switches off telemetry and updates. home is its home and holds what
// it keeps, so that nothing of the user's is read or written. Of the environment of this process it
// has only where programs and temporary files are. What a test needs beside it is appended.
func (s *Server) Env(home string) []string { return clienv.Clean(s.url, home) }

// Requests returns what was asked so far, in the order of arrival.
func (s *Server) Requests() []Request { return s.record.list() }

// Unused returns the numbers of the turns that were never taken, counted from 1.
func (s *Server) Unused() []int { return s.director.unused() }

// Wait returns nil as soon as cond holds for the record of requests. It looks at the record now and
// after each change, one look at a time. It returns ctx's error when that ends first, and
// [ErrClosed] when the server closes first.
func (s *Server) Wait(ctx context.Context, cond func([]Request) bool) error {
	return s.record.wait(ctx, s.closing.Done(), cond)
}

// Close ends all answers, closes all connections and waits for the server's goroutines. It can be
// called more than once.
func (s *Server) Close() error {
	s.stop()
	s.shut()
	s.running.Wait()
	return nil
}

// shut starts the end: no new connection, no open one.
func (s *Server) shut() {
	s.closed.Do(func() {
		s.cancel()
		_ = s.http.Close()
	})
}
