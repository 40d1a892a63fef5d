package turn

import (
	"sync"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/result"
)

// tally is what a turn counts. Its methods may be called at the same time.
type tally struct {
	mu       sync.Mutex // guards the fields below
	users    int        // lines of the type user
	requests int        // to the model
	refusals int        // answers that the model has refused
	cuts     int        // answers that were cut at the limit of tokens
	stops    int        // how often hooks have made the model go on
	warnings int        // of hooks that block or fail at the end
	denials  []any      // tools that were not allowed
	used     ledger.Usage
	first    ledger.Usage  // of the first request
	last     object.Object // the usage of the last message
}

// count adds one to a number of the tally, and returns it.
func (c *tally) count(n *int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	*n++
	return *n
}

// get returns a number of the tally.
func (c *tally) get(n *int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return *n
}

// spend notes what a request has used. It counts for the turn if the session itself has made it.
func (c *tally) spend(u ledger.Usage, own bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.first.Empty() {
		c.first = u
	}
	if own {
		c.used.Add(u)
	}
}

// waste notes what an answer has used that has failed.
func (c *tally) waste(u ledger.Usage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used.Add(u)
}

// take takes back what a request has used.
func (c *tally) take(u ledger.Usage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used.Take(u)
}

// said notes the usage of the last message, as the model tells it.
func (c *tally) said(usage object.Object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = usage
}

// exhaust notes that a turn has asked the model as often as it may: each time counts as one.
func (c *tally) exhaust(limit int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users = limit
}

// deny notes a tool that was not allowed.
func (c *tally) deny(denial object.Object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.denials = append(c.denials, denial)
}

// usage is what was used. Some members are those of the last message.
func (c *tally) usage() object.Object {
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.used.Object()
	for _, name := range []string{"iterations", "fallback_credit"} {
		if v, ok := c.last.Lookup(name); ok {
			u.Set(name, v)
		}
	}
	return u
}

// tell puts the tally into a result.
func (c *tally) tell(r *result.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.Users, r.First, r.Denials, r.Refusals = c.users, c.first, c.denials, c.refusals
}
