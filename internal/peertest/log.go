package peertest

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
)

// Quiet logs nothing.
var Quiet = slog.New(slog.DiscardHandler)

// Recorder keeps what is logged.
type Recorder struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements io.Writer.
func (r *Recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf.Write(p)
}

// String returns everything that was logged.
func (r *Recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf.String()
}

// Logger returns a logger that writes to r.
func (r *Recorder) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(r, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// Count returns how often a text was logged.
func (r *Recorder) Count(text string) int { return strings.Count(r.String(), text) }
