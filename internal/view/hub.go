package view

import (
	"context"
	"encoding/json"
	"sync"
)

// A Hub keeps the newest rows of a session that goes on, for those who watch. It never waits for
// any of them: one who is too slow misses the oldest rows and is told how many. The zero value
// keeps up to 32 MiB.
type Hub struct {
	Limit int // bytes that are kept

	mu      sync.Mutex // guards the fields below
	rows    [][]byte
	first   int // the index of rows[0] in the session
	size    int
	ended   bool
	changed chan struct{} // closed at the next change
}

func (h *Hub) limit() int {
	if h.Limit > 0 {
		return h.Limit
	}
	return 32 << 20
}

// Add gives the hub the next row.
func (h *Hub) Add(r Row) {
	text, err := json.Marshal(r)
	if err != nil {
		return // a row has nothing that cannot be encoded
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rows = append(h.rows, text)
	h.size += len(text)
	drop := 0
	for h.size > h.limit() && drop < len(h.rows)-1 {
		h.size -= len(h.rows[drop])
		h.rows[drop] = nil
		drop++
	}
	h.rows = h.rows[drop:]
	h.first += drop
	h.wake()
}

// End says that no row follows.
func (h *Hub) End() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	h.wake()
}

// wake tells those who wait. The caller holds mu.
func (h *Hub) wake() {
	if h.changed != nil {
		close(h.changed)
		h.changed = nil
	}
}

// batchBytes is about how much one call of next returns.
const batchBytes = 1 << 20

// next waits for rows from an index on. It returns some, the index of the first of them, which is
// later than asked for if rows are gone, and whether the session is over and these are the last.
func (h *Hub) next(ctx context.Context, from int) (rows [][]byte, first int, last bool) {
	for {
		h.mu.Lock()
		if from < h.first+len(h.rows) {
			first = max(from, h.first)
			for size, i := 0, first-h.first; i < len(h.rows) && size < batchBytes; i++ {
				rows = append(rows, h.rows[i])
				size += len(h.rows[i])
			}
			last = h.ended && first+len(rows) == h.first+len(h.rows)
			h.mu.Unlock()
			return rows, first, last
		}
		if h.ended {
			h.mu.Unlock()
			return nil, from, true
		}
		if h.changed == nil {
			h.changed = make(chan struct{})
		}
		changed := h.changed
		h.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, from, true
		}
	}
}
