package ledger

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/models"
)

// Usage is what was used of one model.
type Usage struct {
	recalled                                      bool // from an earlier run of the session
	again                                         bool // used in this run, if it is recalled
	Input, Output, CacheRead, CacheWrite          int
	searches, fetches, thinking, write5m, write1h int

	fast, regional bool     // of one message: it came fast; it was made where it had to be made
	cost           float64  // in dollars, of what a ledger has added up
	fixed          *float64 // what one message costs, whatever was used; nil: by its model
}

// Costing returns the usage of a message that costs so many dollars; nil is what its model costs.
func (u Usage) Costing(dollars *float64) Usage {
	u.fixed = dollars
	return u
}

// Read reads the usage of a message.
func Read(o object.Object) Usage {
	number := func(o object.Object, name string) int {
		n, _ := o.Number(name)
		return int(n)
	}
	server, created := o.Object("server_tool_use"), o.Object("cache_creation")
	return Usage{
		Input: number(o, "input_tokens"), Output: number(o, "output_tokens"),
		CacheRead: number(o, "cache_read_input_tokens"), CacheWrite: number(o, "cache_creation_input_tokens"),
		searches: number(server, "web_search_requests"), fetches: number(server, "web_fetch_requests"),
		thinking: number(o.Object("output_tokens_details"), "thinking_tokens"),
		write5m:  number(created, "ephemeral_5m_input_tokens"), write1h: number(created, "ephemeral_1h_input_tokens"),
		fast: o.Text("speed") == "fast", regional: o.Text("inference_geo") == "us",
	}
}

// Add adds what was used elsewhere.
func (u *Usage) Add(v Usage) {
	u.Input += v.Input
	u.Output += v.Output
	u.CacheRead += v.CacheRead
	u.CacheWrite += v.CacheWrite
	u.searches += v.searches
	u.fetches += v.fetches
	u.thinking += v.thinking
	u.write5m += v.write5m
	u.write1h += v.write1h
	u.cost += v.cost
}

// Take takes back what was added.
func (u *Usage) Take(v Usage) {
	u.Add(Usage{
		Input: -v.Input, Output: -v.Output, CacheRead: -v.CacheRead, CacheWrite: -v.CacheWrite, searches: -v.searches, fetches: -v.fetches,
		thinking: -v.thinking, write5m: -v.write5m, write1h: -v.write1h, cost: -v.cost,
	})
}

// All is the number of tokens.
func (u Usage) All() int { return u.Input + u.Output + u.CacheRead + u.CacheWrite }

// Searches is the number of searches in the web.
func (u Usage) Searches() int { return u.searches }

// Empty reports whether nothing was used.
func (u Usage) Empty() bool { return u == Usage{} }

// Cost is what it costs, in dollars, where a ledger has added it up.
func (u Usage) Cost() float64 { return u.cost }

// Price is what a message of a model costs, in dollars.
func (u Usage) Price(model string) float64 {
	if u.fixed != nil {
		return *u.fixed
	}
	p := models.PriceOf(model)
	tokens := func(n int, price float64) float64 { return float64(n) / 1e6 * price }
	cost := tokens(u.Input, p.Input) + tokens(u.Output, p.Output) + tokens(u.CacheRead, p.CacheRead) +
		tokens(u.CacheWrite-u.write1h, p.Write5m) + tokens(u.write1h, p.Write1h)
	if u.fast {
		cost *= p.Fast
	}
	if u.regional {
		cost *= regional
	}
	return cost + float64(u.searches)*models.Search
}

// regional is by how much a message is dearer that must be made in a certain place.
const regional = 1.1

// Object is the member usage of a result. The order of its members tells whether a message was
// added.
func (u Usage) Object() object.Object {
	if u.Empty() {
		return u.Plain()
	}
	return object.Of("input_tokens", u.Input, "cache_creation_input_tokens", u.CacheWrite, "cache_read_input_tokens", u.CacheRead,
		"output_tokens", u.Output, "output_tokens_details", object.Of("thinking_tokens", u.thinking),
		"server_tool_use", object.Of("web_search_requests", u.searches, "web_fetch_requests", u.fetches), "service_tier", "standard",
		"cache_creation", object.Of("ephemeral_1h_input_tokens", u.write1h, "ephemeral_5m_input_tokens", u.write5m),
		"inference_geo", "", "iterations", []any{}, "speed", "standard", "fallback_credit", nil)
}

// Plain is the usage of one message, as the CLI fills it in.
func (u Usage) Plain() object.Object {
	return object.Of("output_tokens_details", object.Of("thinking_tokens", u.thinking), "input_tokens", u.Input,
		"cache_creation_input_tokens", u.CacheWrite, "cache_read_input_tokens", u.CacheRead, "output_tokens", u.Output,
		"server_tool_use", object.Of("web_search_requests", u.searches, "web_fetch_requests", u.fetches), "service_tier", "standard",
		"cache_creation", object.Of("ephemeral_1h_input_tokens", u.write1h, "ephemeral_5m_input_tokens", u.write5m),
		"inference_geo", "", "iterations", []any{}, "speed", "standard", "fallback_credit", nil)
}
