package hooks

import (
	"slices"
	"sync"

	"github.com/ccwire/ccwire/internal/object"
)

// Registry are the hooks of a session. Its methods may be called at the same time.
type Registry struct {
	mu        sync.Mutex // guards the fields below
	callbacks []Hook     // of the last initialize
	commands  []Hook     // of settings and plugins
}

// SetCallbacks replaces the SDK's callbacks.
func (r *Registry) SetCallbacks(list []Hook) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.callbacks = list
}

// Commands are the hooks of one source: settings, or a plugin in a folder.
type Commands struct {
	Hooks        object.Object
	Plugin, Root string
	// Foreign says that the source is outside the working directory, where the model cannot write:
	// what the commands name may be read.
	Foreign bool
}

// SetCommands replaces the hooks of settings and plugins.
func (r *Registry) SetCommands(sources []Commands) {
	var all []Hook
	for _, c := range sources {
		list := ReadSettings(c.Hooks)
		for i := range list {
			list[i].Plugin, list[i].Root, list[i].Foreign = c.Plugin, c.Root, c.Foreign
		}
		all = append(all, list...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.commands = all
}

// Match returns the hooks that an event calls.
func (r *Registry) Match(event, name string) []Hook {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Match(append(slices.Clone(r.commands), r.callbacks...), event, name)
}

// Any reports whether an event has hooks.
func (r *Registry) Any(event string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	has := func(h Hook) bool { return h.Event == event }
	return slices.ContainsFunc(r.callbacks, has) || slices.ContainsFunc(r.commands, has)
}

// AnyCommand reports whether the settings or plugins have hooks for an event.
func (r *Registry) AnyCommand(event string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.commands, func(h Hook) bool { return h.Event == event })
}
