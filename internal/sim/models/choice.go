package models

import (
	"sync"

	"github.com/ccwire/ccwire/internal/sim/release"
)

// Choice owns the model that the user has chosen. Its methods may be called at the same time.
type Choice struct {
	// Unknown, if set, is called with each model that is chosen, is not one of the list, and is to
	// be asked. It is set before the first choice.
	Unknown func(model string)
	// Subscribed says that the user has a subscription: of these the default is a smaller model.
	// It is set before the first choice, too.
	Subscribed bool

	older map[string]string // names that stand for other models than in the newest version

	mu    sync.Mutex // guards the fields below
	name  string     // as the user has it
	model string
	fresh bool // the model was not asked yet
}

// NewChoice returns a choice of the models of a version of the CLI.
func NewChoice(r *release.Release) *Choice { return &Choice{older: olderNames(r)} }

// Get returns the model.
func (c *Choice) Get() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.model
}

// Name returns the name by which the model was chosen, "" if none was.
func (c *Choice) Name() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.name
}

// Set chooses a model by its name or one that stands for it, and reports whether it was another.
func (c *Choice) Set(name string) bool {
	model := c.Resolve(name)
	c.mu.Lock()
	other := c.model != model
	c.name, c.model, c.fresh = name, model, c.fresh || other
	c.mu.Unlock()
	return other
}

// Ask says that the model is asked now.
func (c *Choice) Ask() {
	c.mu.Lock()
	model, fresh := c.model, c.fresh
	c.fresh = false
	c.mu.Unlock()
	if fresh && c.Unknown != nil && !Known(model) {
		c.Unknown(model)
	}
}
