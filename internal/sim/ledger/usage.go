package ledger

import "github.com/ccwire/ccwire/internal/object"

// Usage is what was used of one model.
type Usage struct {
	recalled                                      bool // from an earlier run of the session
	Input, Output, CacheRead, CacheWrite          int
	searches, fetches, thinking, write5m, write1h int
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
}

// All is the number of tokens.
func (u Usage) All() int { return u.Input + u.Output + u.CacheRead + u.CacheWrite }

// Empty reports whether nothing was used.
func (u Usage) Empty() bool { return u == Usage{} }

// Cost is what it costs, in dollars; plausible, not true.
func (u Usage) Cost() float64 {
	return (float64(u.Input)*5 + float64(u.Output)*25 + float64(u.CacheRead)*0.5 + float64(u.CacheWrite)*6.25) / 1e6
}

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
