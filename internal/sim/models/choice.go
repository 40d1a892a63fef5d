package models

import "sync"

// Choice owns the model that the user has chosen. Its methods may be called at the same time.
type Choice struct {
	mu    sync.Mutex // guards model
	model string
}

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
	c.model = Resolve(name)
	return before != c.model
}
