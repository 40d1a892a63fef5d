package fakeapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/ccwire/ccwire/internal/clock"
)

// handler serves the API's routes. It is the part of the server that knows HTTP but no sockets.
type handler struct {
	director *director
	record   *record
	limit    int64           // bytes of a request's body
	closing  context.Context // ends when the server closes
	clock    *clock.Clock
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := Request{Method: r.Method, Path: r.URL.Path, Outcome: Answering}
	counting := r.URL.Path == "/v1/messages/count_tokens"
	switch {
	case r.URL.Path != "/v1/messages" && !counting:
		h.offScript(w, r, q)
	case r.Method != http.MethodPost:
		h.refuse(w, r, q, http.StatusMethodNotAllowed, "method not allowed; use POST")
	default:
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.limit))
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			h.refuse(w, r, q, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is larger than %d bytes", h.limit))
			return
		}
		if err != nil {
			h.refuse(w, r, q, http.StatusBadRequest, "the request body could not be read")
			return
		}
		c, err := parseCall(body, counting)
		switch {
		case err != nil:
			h.refuse(w, r, q, http.StatusBadRequest, err.Error())
		case counting:
			h.count(w, r, q, c)
		default:
			h.messages(w, r, q, c)
		}
	}
}

// offScript answers what is not for the Messages API: a probe with HEAD gets an empty 200, the rest
// a 404.
func (h *handler) offScript(w http.ResponseWriter, r *http.Request, q Request) {
	q.Answer = OffScript
	p := h.player(w, r, q, h.director.key("other"))
	if r.Method == http.MethodHead {
		p.json(http.StatusOK, nil)
		return
	}
	p.fail(&Error{Status: http.StatusNotFound, Message: "not found"})
}

func (h *handler) refuse(w http.ResponseWriter, r *http.Request, q Request, status int, message string) {
	q.Answer = Refused
	h.player(w, r, q, h.director.key("refused")).fail(&Error{Status: status, Message: message})
}

func (h *handler) count(w http.ResponseWriter, r *http.Request, q Request, c *call) {
	q.Answer = Counted
	q.describe(c, true)
	h.player(w, r, q, h.director.key("count")).json(http.StatusOK, map[string]int{"input_tokens": h.director.script.countTokens()})
}

func (h *handler) messages(w http.ResponseWriter, r *http.Request, q Request, c *call) {
	cue := h.director.cue(c, r.Header)
	q.describe(c, cue.from == Helper)
	q.From, q.Turn, q.Answer = cue.from, cue.number, cue.answer
	h.player(w, r, q, cue.key).play(cue.turn, cue.msg, c.Stream)
}

// player records the request and returns the one that answers it.
func (h *handler) player(w http.ResponseWriter, r *http.Request, q Request, key string) *player {
	return &player{w: w, ctx: r.Context(), closing: h.closing, clock: h.clock, entry: h.record.add(q), key: key}
}
