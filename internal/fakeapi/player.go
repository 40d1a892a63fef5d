package fakeapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/ccwire/ccwire/internal/clock"
)

// player gives one answer. Each of its answering methods sets the request's outcome.
type player struct {
	w       http.ResponseWriter
	ctx     context.Context // ends when the client goes or the server closes
	closing context.Context // ends when the server closes
	clock   *clock.Clock
	entry   entry
	key     string
}

// play gives a turn's answer.
func (p *player) play(t *Turn, m Message, stream bool) {
	for name, value := range t.Header {
		p.w.Header().Set(name, value)
	}
	if t.Pace != nil && !p.sleep(t.Pace.Before) {
		p.gone()
		return
	}
	switch {
	case t.Error != nil && (t.Cut == nil || !stream):
		p.fail(t.Error)
	case stream:
		p.stream(t, m)
	case t.Cut == nil:
		p.json(http.StatusOK, m)
	case t.Cut.How == Stall:
		p.stall()
	default:
		p.half(m)
	}
}

// json answers with one JSON value, or with an empty body when v is nil.
func (p *player) json(status int, v any) {
	var body []byte
	if v != nil {
		body, _ = json.Marshal(v) // every value is ours or was checked with its script
	}
	p.head(status, "application/json", len(body))
	if _, err := p.w.Write(body); err != nil {
		p.gone()
		return
	}
	p.entry.outcome(Complete)
}

// fail answers with an error. An error inside a stream has no status; when the client asked for no
// stream it is a 500.
func (p *player) fail(e *Error) {
	e.header(p.w.Header())
	status := e.Status
	if status == 0 {
		status = http.StatusInternalServerError
	}
	p.json(status, e.body(p.key))
}

// half sends one half of a message that is not streamed, and drops the connection.
func (p *player) half(m Message) {
	body, _ := json.Marshal(m)
	p.head(http.StatusOK, "application/json", len(body))
	_, _ = p.w.Write(body[:len(body)/2])
	_ = http.NewResponseController(p.w).Flush()
	p.drop()
}

// stream sends the message as server-sent events, at the turn's pace and up to its cut.
func (p *player) stream(t *Turn, m Message) {
	pace, cut := Pace{}, t.Cut
	if t.Pace != nil {
		pace = *t.Pace
	}
	sent, deltas := 0, 0
	for e := range events(m, pace.Chunk) {
		if cut != nil && (cut.After == nil && e.last || cut.After != nil && sent >= *cut.After) {
			break
		}
		if e.delta() {
			if deltas > 0 && !p.sleep(pace.Every) {
				p.gone()
				return
			}
			deltas++
		}
		if !p.event(e, sent == 0) {
			p.gone()
			return
		}
		sent++
	}
	switch {
	case cut == nil:
		p.entry.outcome(Complete)
	case cut.How == Stall:
		p.stall()
	case cut.How == Drop:
		p.drop()
	default:
		data, _ := json.Marshal(t.Error.body(p.key))
		if !p.event(event{name: "error", data: data}, sent == 0) {
			p.gone()
			return
		}
		p.entry.outcome(Complete)
	}
}

// event sends one event, after the header if it is the first. It reports whether it could.
func (p *player) event(e event, first bool) bool {
	if first {
		p.head(http.StatusOK, "text/event-stream; charset=utf-8", -1)
	}
	if _, err := fmt.Fprintf(p.w, "event: %s\ndata: %s\n\n", e.name, e.data); err != nil {
		return false
	}
	return http.NewResponseController(p.w).Flush() == nil
}

// head sends the HTTP header. length is that of the body, -1 when it is not known.
func (p *player) head(status int, contentType string, length int) {
	h := p.w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Request-Id", "req_"+p.key)
	if length >= 0 {
		h.Set("Content-Length", strconv.Itoa(length))
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	p.entry.status(status)
	p.w.WriteHeader(status)
}

// stall holds the connection until the client goes or the server closes.
func (p *player) stall() {
	p.entry.outcome(Stalled)
	<-p.ctx.Done()
	p.gone()
}

// drop closes the connection, without an end of the body. It does not return.
func (p *player) drop() {
	p.entry.outcome(Dropped)
	panic(http.ErrAbortHandler) // the way that net/http gives a handler to do it
}

// gone records who ended the answer early, and leaves no end of the body for anybody who still
// reads. It does not return.
func (p *player) gone() {
	if p.closing.Err() != nil {
		p.entry.outcome(ServerClosed)
	} else {
		p.entry.outcome(ClientGone)
	}
	panic(http.ErrAbortHandler)
}

// sleep waits for d. It reports whether the client is still there.
func (p *player) sleep(d Duration) bool { return p.clock.Sleep(p.ctx, time.Duration(d)) == nil }
