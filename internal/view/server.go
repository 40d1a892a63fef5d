package view

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A Server shows a page on loopback, to those who have its address.
type Server struct {
	listener net.Listener
	server   http.Server
	url      string
}

// ErrNotLoopback says that an address can be reached from elsewhere.
var ErrNotLoopback = errors.New("not a loopback address: use 127.0.0.1:PORT, and port 0 for any")

// CheckAddress returns an error for what is not an address on loopback.
func CheckAddress(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%s: %w", address, ErrNotLoopback)
	}
	return nil
}

// Serve shows a page that a file holds.
func Serve(address string, page []byte) (*Server, error) { return ServePage(address, filePolicy, page) }

// ServePage shows a page that may do what a content security policy says.
func ServePage(address, policy string, page []byte) (*Server, error) {
	return serve(address, policy, func(mux *http.ServeMux, path string) {
		mux.HandleFunc("GET "+path+"{$}", func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, "page.html", time.Time{}, bytes.NewReader(page))
		})
	})
}

// ServeLive shows the rows of a hub while they come. The page is made when somebody asks for it, so
// that the session does not wait for the manual.
func ServeLive(address, title string, hub *Hub, manual Manual) (*Server, error) {
	page := sync.OnceValues(func() ([]byte, error) {
		var b bytes.Buffer
		err := writeLive(&b, title, manual)
		return b.Bytes(), err
	})
	return serve(address, policy, func(mux *http.ServeMux, path string) {
		mux.HandleFunc("GET "+path+"{$}", func(w http.ResponseWriter, r *http.Request) {
			text, err := page()
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			http.ServeContent(w, r, "page.html", time.Time{}, bytes.NewReader(text))
		})
		mux.HandleFunc("GET "+path+"events", hub.serveEvents)
	})
}

// serve listens at an address. The path of everything begins with a token that nobody can guess.
func serve(address, policy string, routes func(mux *http.ServeMux, path string)) (*Server, error) {
	if err := CheckAddress(address); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	path := "/" + rand.Text() + "/"
	mux := http.NewServeMux()
	routes(mux, path)
	own := listener.Addr().String()
	s := &Server{listener: listener, url: "http://" + own + path}
	s.server.ReadHeaderTimeout = 10 * time.Second
	s.server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A name that somebody has made to lead here is not this server's.
		if r.Host != own && r.Host != strings.Replace(address, ":0", own[strings.LastIndexByte(own, ':'):], 1) {
			http.Error(w, "wrong host", http.StatusMisdirectedRequest)
			return
		}
		for name, value := range map[string]string{
			"Content-Security-Policy": policy + "; frame-ancestors 'none'", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cache-Control": "no-store", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			w.Header().Set(name, value)
		}
		mux.ServeHTTP(w, r)
	})
	go s.server.Serve(listener) // ends with Close
	return s, nil
}

// URL returns the address of the page.
func (s *Server) URL() string { return s.url }

// Close ends the server and all that it serves.
func (s *Server) Close() error { return s.server.Close() }

// Drain waits until those who watch have got the last rows, or for some time, and ends the server.
func (s *Server) Drain(most time.Duration) {
	deadline := time.AfterFunc(most, func() { s.server.Close() })
	defer deadline.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	_ = s.server.Shutdown(ctx) // the deadline ends what is left
}

// serveEvents sends rows as server-sent events: "rows" with a list, whose id is the index after
// it, "gap" with a number of rows that are gone, and "end".
func (h *Hub) serveEvents(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	at := 0
	if _, err := fmt.Sscan(r.Header.Get("Last-Event-ID"), &at); err != nil {
		at = 0
	}
	flush := http.NewResponseController(w).Flush
	if err := flush(); err != nil { // the viewer hears that it is heard
		return
	}
	for {
		rows, first, last := h.next(r.Context(), at)
		if r.Context().Err() != nil {
			return
		}
		if first > at {
			fmt.Fprintf(w, "event: gap\ndata: %d\n\n", first-at)
		}
		at = first + len(rows)
		if len(rows) > 0 {
			fmt.Fprintf(w, "event: rows\nid: %d\ndata: [%s]\n\n", at, bytes.Join(rows, []byte(",")))
		}
		if last {
			fmt.Fprint(w, "event: end\ndata: 0\n\n")
		}
		if err := flush(); err != nil || last {
			return
		}
	}
}
