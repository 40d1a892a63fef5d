package models

import (
	"sync"

	"github.com/ccwire/ccwire/internal/sim/release"
)

// Choice owns the model that the user has chosen. Its methods may be called at the same time.
type Choice struct {
	names map[string]string // that stand for models

	mu    sync.Mutex // guards model
	model string
}

// NewChoice returns a choice of the models of a version of the CLI.
func NewChoice(r *release.Release) *Choice { return &Choice{names: family(r)} }

// Resolve returns the model behind a name. A name that is not known is its own.
func (c *Choice) Resolve(name string) string {
	if full, ok := c.names[name]; ok {
		return full
	}
	return name
}

// Short reports whether a name stands for a model.
func (c *Choice) Short(name string) bool { return c.names[name] != "" }

// Get returns the model.
func (c *Choice) Get() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.model
}

// Set chooses a model by its name or one that stands for it, and reports whether it was another.
func (c *Choice) Set(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.model
	c.model = c.Resolve(name)
	return before != c.model
}
