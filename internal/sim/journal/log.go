package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// A Log takes the entries of sessions. Its methods may be called from several goroutines. The zero
// value keeps the entries in memory, and writes them nowhere.
type Log struct {
	mu      sync.Mutex // guards the fields below
	out     io.Writer  // nil: nothing is written
	forget  bool       // entries are not kept in memory
	entries []Entry
	err     error // of the first write that failed
}

// New returns a log that writes to w, and keeps nothing in memory.
func New(w io.Writer) *Log { return &Log{out: w, forget: true} }

// begun counts the sessions of this process.
var begun atomic.Int64

// Start begins a session. A nil log has sessions that note nothing.
func (l *Log) Start(version string, args []string, cwd string, env []string) *Session {
	if l == nil {
		return nil
	}
	s := &Session{log: l, began: time.Now(), key: fmt.Sprintf("%d-%d", os.Getpid(), begun.Add(1))}
	at := s.began.UTC().Truncate(time.Millisecond)
	s.add(Entry{Dir: Header, Time: &at, Version: version, Args: args, Cwd: cwd, Env: environment(env)})
	return s
}

// Entries returns what was noted so far.
func (l *Log) Entries() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Entry(nil), l.entries...)
}

// Err returns the first error of writing the journal.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// add takes an entry. Its time is taken under the lock, so that entries are in the order of time.
func (l *Log) add(e Entry, began time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.At = float64(time.Since(began).Microseconds()) / 1000
	if !l.forget {
		l.entries = append(l.entries, e)
	}
	if l.out == nil || l.err != nil {
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if l.err = enc.Encode(&e); l.err == nil {
		// In one write, so that other processes can append to the same file, and at once, because
		// this one may be killed at any time.
		_, l.err = l.out.Write(b.Bytes())
	}
}
