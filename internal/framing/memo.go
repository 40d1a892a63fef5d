package framing

import (
	"bytes"
	"sync"
)

// A memo keeps what a function made of short texts, since the same lines come again and again while
// streams are made small.
type memo[V any] struct {
	mu   sync.Mutex // guards the field below
	seen map[string]V
}

const (
	memoText  = 512  // bytes of the longest text
	memoTexts = 4096 // after which it begins anew
)

func (m *memo[V]) of(text []byte, f func([]byte) V) V {
	if len(text) > memoText {
		return f(text)
	}
	m.mu.Lock()
	v, ok := m.seen[string(text)]
	m.mu.Unlock()
	if ok {
		return v
	}
	v = f(bytes.Clone(text)) // the text may be part of a long stream
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil || len(m.seen) >= memoTexts {
		m.seen = map[string]V{}
	}
	m.seen[string(text)] = v
	return v
}
