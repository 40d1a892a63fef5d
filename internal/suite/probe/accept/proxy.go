package accept

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
)

// A proxy stands before the fake API and keeps what the CLI asks it.
type proxy struct {
	url    string
	server *http.Server
	done   chan struct{} // closed when the server has ended

	mu     sync.Mutex // guards the fields below
	api    *url.URL
	bodies [][]byte
}

func newProxy() (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{url: "http://" + l.Addr().String(), done: make(chan struct{})}
	p.server = &http.Server{Handler: &httputil.ReverseProxy{
		FlushInterval: -1, Rewrite: p.rewrite, ErrorLog: log.New(io.Discard, "", 0),
	}, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { // ends in close
		defer close(p.done)
		_ = p.server.Serve(l)
	}()
	return p, nil
}

// forward says where the fake API is.
func (p *proxy) forward(api string) {
	u, err := url.Parse(api)
	if err != nil {
		return // the requests fail
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.api = u
}

func (p *proxy) rewrite(r *httputil.ProxyRequest) {
	p.mu.Lock()
	api := p.api
	p.mu.Unlock()
	if api != nil {
		r.SetURL(api)
	}
	if !strings.HasSuffix(r.In.URL.Path, "/v1/messages") || r.In.Body == nil {
		return
	}
	body, err := io.ReadAll(r.In.Body)
	if err != nil {
		return
	}
	r.Out.Body = io.NopCloser(bytes.NewReader(body))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bodies = append(p.bodies, body)
}

// from returns the requests from a number on.
func (p *proxy) from(n int) [][]byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bodies[n:len(p.bodies):len(p.bodies)]
}

func (p *proxy) count() int { return len(p.from(0)) }

func (p *proxy) close() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = p.server.Shutdown(ctx)
	_ = p.server.Close()
	<-p.done
}
