package transport

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// maxJournal is how many entries may wait for a logger.
const maxJournal = 256

// journal writes to a logger without waiting for it: a logger that blocks, panics or closes the
// connection harms nobody. Entries are written in order by a goroutine that ends when there are no
// more.
type journal struct {
	logger *slog.Logger

	mu      sync.Mutex // guards the fields below
	entries []entry
	lost    int // entries that were dropped because the logger is too slow
	busy    bool
}

type entry struct {
	time    time.Time
	level   slog.Level
	message string
	args    []any
}

// newJournal returns a journal; a nil logger means [slog.Default].
func newJournal(logger *slog.Logger) *journal {
	if logger == nil {
		logger = slog.Default()
	}
	return &journal{logger: logger}
}

func (j *journal) Debug(message string, args ...any) { j.Log(slog.LevelDebug, message, args...) }
func (j *journal) Warn(message string, args ...any)  { j.Log(slog.LevelWarn, message, args...) }

// Log takes an entry in. It does not block.
func (j *journal) Log(level slog.Level, message string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.entries) >= maxJournal {
		j.lost++
		return
	}
	j.entries = append(j.entries, entry{time.Now(), level, message, args})
	if !j.busy {
		j.busy = true
		go j.run() // ends when all is written
	}
}

func (j *journal) run() {
	for {
		e, ok := j.next()
		if !ok {
			return
		}
		j.write(e)
	}
}

func (j *journal) next() (entry, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.lost > 0 && len(j.entries) < maxJournal {
		e := entry{time.Now(), slog.LevelWarn, "the logger is too slow; entries were dropped", []any{"entries", j.lost}}
		j.lost = 0
		j.entries = append(j.entries, e)
	}
	if len(j.entries) == 0 {
		j.entries, j.busy = nil, false
		return entry{}, false
	}
	e := j.entries[0]
	j.entries[0] = entry{}
	j.entries = j.entries[1:]
	return e, true
}

// write hands an entry to the logger. There is nobody to tell of a panic.
func (j *journal) write(e entry) {
	defer func() { recover() }()
	ctx := context.Background()
	if !j.logger.Enabled(ctx, e.level) {
		return
	}
	record := slog.NewRecord(e.time, e.level, e.message, 0)
	record.Add(e.args...)
	j.logger.Handler().Handle(ctx, record)
}
