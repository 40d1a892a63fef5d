// Package host owns what the SDK has told the session about itself and about the program around it.
package host

import (
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/structured"
)

// Host is what the session knows of the SDK. Its methods may be called at the same time.
type Host struct {
	mu           sync.Mutex         // guards the fields below
	initialized  bool               // once, at least
	systemPrompt string             // in place of the CLI's own
	appended     string             // to the system prompt
	form         *structured.Schema // of the model's answer; nil for any
	proactivity  bool
	perTaskStop  bool
	suggestions  bool
	clients      []client
	claimed      bool
	launch       object.Object // the request that the session was started with; nil for none
}

// client is a user interface that has attached itself.
type client struct{ id, surface string }

// Initialized reports whether there was a request initialize.
func (h *Host) Initialized() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.initialized
}

// Launch keeps the request initialize that the session has waited for at its start.
func (h *Host) Launch(r object.Object) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.launch = r
}

// Launched reports whether the session was started with a member of a request.
func (h *Host) Launched(name string, value any) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.launch.Has(name) && object.Text(h.launch.Get(name)) == object.Text(value)
}

// Initialize reads the request initialize. It reports whether there was one before.
func (h *Host) Initialize(r object.Object) (again bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	again = h.initialized
	h.initialized = true
	h.proactivity, h.perTaskStop, h.suggestions = r.Bool("proactivity"), r.Bool("perTaskStopAffordance"), r.Bool("promptSuggestions")
	if r.Has("jsonSchema") {
		h.form = nil
		if schema, ok := r.Get("jsonSchema").(object.Object); ok {
			h.form, _ = structured.New(schema) // the CLI does without one that it does not understand
		}
	}
	switch prompt := r.Get("systemPrompt").(type) {
	case string:
		h.systemPrompt = prompt
	case []any:
		h.systemPrompt = strings.Join(Texts(prompt), "\n")
	}
	if r.Has("appendSystemPrompt") {
		h.appended = r.Text("appendSystemPrompt")
	}
	return again
}

// SystemPrompt is what the model is told in place of the CLI's own prompt, and after it.
func (h *Host) SystemPrompt() (instead, after string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.systemPrompt, h.appended
}

// Form is the form that the answer of the model must have, nil for any.
func (h *Host) Form() *structured.Schema {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.form
}

// SetForm sets the form that the answer of the model must have.
func (h *Host) SetForm(form *structured.Schema) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.form = form
}

// Proactivity reports whether the SDK can set how much the model does by itself.
func (h *Host) Proactivity() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.proactivity
}

// StopsTasks reports whether the SDK stops background tasks itself: they survive an interrupt.
func (h *Host) StopsTasks() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.perTaskStop
}

// Suggestions reports whether the SDK wants to know what the user may say next.
func (h *Host) Suggestions() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.suggestions
}

// Claim claims the session. It reports false if that was done before.
func (h *Host) Claim() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := !h.claimed
	h.claimed = true
	return first
}

// Attach notes a user interface, and returns the places where there are any.
func (h *Host) Attach(id, surface string) []any {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clients = append(h.clients, client{id, surface})
	return h.surfacesLocked()
}

// Detach forgets a user interface. It reports whether it was there, and returns the places where
// there are any.
func (h *Host) Detach(id string) (gone bool, surfaces []any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := len(h.clients)
	h.clients = slices.DeleteFunc(h.clients, func(c client) bool { return c.id == id })
	return len(h.clients) < before, h.surfacesLocked()
}

func (h *Host) surfacesLocked() []any {
	list := []any{}
	for _, c := range h.clients {
		if !slices.Contains(list, any(c.surface)) {
			list = append(list, c.surface)
		}
	}
	return list
}

// Texts returns the elements of a list that are texts.
func Texts(list []any) (out []string) {
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
