package sim

import (
	"github.com/ccwire/ccwire/internal/object"
)

// ledger adds up what was used of the models. It is for one goroutine at a time.
type ledger struct {
	models map[string]*usage
	order  []string
	total  usage
}

// usage is what was used of one model.
type usage struct {
	recalled                                                                            bool // from an earlier run of the session
	input, output, cacheRead, cacheWrite, searches, fetches, thinking, write5m, write1h int
}

func newLedger() *ledger { return &ledger{models: map[string]*usage{}} }

// readUsage reads the usage of a message.
func readUsage(o object.Object) usage {
	number := func(o object.Object, name string) int {
		n, _ := o.Number(name)
		return int(n)
	}
	server, created := o.Object("server_tool_use"), o.Object("cache_creation")
	return usage{
		input: number(o, "input_tokens"), output: number(o, "output_tokens"),
		cacheRead: number(o, "cache_read_input_tokens"), cacheWrite: number(o, "cache_creation_input_tokens"),
		searches: number(server, "web_search_requests"), fetches: number(server, "web_fetch_requests"),
		thinking: number(o.Object("output_tokens_details"), "thinking_tokens"),
		write5m:  number(created, "ephemeral_5m_input_tokens"), write1h: number(created, "ephemeral_1h_input_tokens"),
	}
}

func (u *usage) add(v usage) {
	u.input += v.input
	u.output += v.output
	u.cacheRead += v.cacheRead
	u.cacheWrite += v.cacheWrite
	u.searches += v.searches
	u.fetches += v.fetches
	u.thinking += v.thinking
	u.write5m += v.write5m
	u.write1h += v.write1h
}

// all is the number of tokens.
func (u usage) all() int { return u.input + u.output + u.cacheRead + u.cacheWrite }

// empty reports whether nothing was used.
func (u usage) empty() bool { return u == usage{} }

// cost is what it costs, in dollars; plausible, not true.
func (u usage) cost() float64 {
	return (float64(u.input)*5 + float64(u.output)*25 + float64(u.cacheRead)*0.5 + float64(u.cacheWrite)*6.25) / 1e6
}

// add adds the usage of a message.
func (l *ledger) add(model string, u usage) {
	m := l.models[model]
	if m == nil {
		m = &usage{}
		l.models[model] = m
		l.order = append(l.order, model)
	}
	m.add(u)
	l.total.add(u)
}

// cost is what everything costs.
func (l *ledger) cost() float64 { return l.total.cost() }

// byModel is the member modelUsage of a result.
func (l *ledger) byModel() object.Object {
	o := object.Object{}
	for _, name := range l.order {
		u := l.models[name]
		if u.recalled {
			o = append(o, object.Member{Name: name, Value: u.recall(name)})
			continue
		}
		o = append(o, object.Member{Name: name, Value: object.Of(
			"inputTokens", u.input, "outputTokens", u.output, "cacheReadInputTokens", u.cacheRead, "cacheCreationInputTokens", u.cacheWrite,
			"webSearchRequests", u.searches, "costUSD", u.cost(), "contextWindow", contextWindow(name), "maxOutputTokens", maxOutput(name),
			"thinkingTokens", u.thinking, "cacheCreationEphemeral5mInputTokens", u.write5m, "cacheCreationEphemeral1hInputTokens", u.write1h,
			"canonicalModel", name, "provider", "firstParty", "costBasis", "list")})
	}
	return o
}

// object is the member usage of a result. The order of its members tells whether a message was
// added.
func (u usage) object() object.Object {
	if u.empty() {
		return u.plain()
	}
	return object.Of("input_tokens", u.input, "cache_creation_input_tokens", u.cacheWrite, "cache_read_input_tokens", u.cacheRead,
		"output_tokens", u.output, "output_tokens_details", object.Of("thinking_tokens", u.thinking),
		"server_tool_use", object.Of("web_search_requests", u.searches, "web_fetch_requests", u.fetches), "service_tier", "standard",
		"cache_creation", object.Of("ephemeral_1h_input_tokens", u.write1h, "ephemeral_5m_input_tokens", u.write5m),
		"inference_geo", "", "iterations", []any{}, "speed", "standard", "fallback_credit", nil)
}

// plain is the usage of one message, as the CLI fills it in.
func (u usage) plain() object.Object {
	return object.Of("output_tokens_details", object.Of("thinking_tokens", u.thinking), "input_tokens", u.input,
		"cache_creation_input_tokens", u.cacheWrite, "cache_read_input_tokens", u.cacheRead, "output_tokens", u.output,
		"server_tool_use", object.Of("web_search_requests", u.searches, "web_fetch_requests", u.fetches), "service_tier", "standard",
		"cache_creation", object.Of("ephemeral_1h_input_tokens", u.write1h, "ephemeral_5m_input_tokens", u.write5m),
		"inference_geo", "", "iterations", []any{}, "speed", "standard", "fallback_credit", nil)
}

// recall sets the ledger to what an earlier run of the session has used.
func (l *ledger) recall(models object.Object) {
	*l = *newLedger()
	for _, m := range models {
		o, _ := m.Value.(object.Object)
		number := func(name string) int {
			n, _ := o.Number(name)
			return int(n)
		}
		l.add(m.Name, usage{
			input: number("inputTokens"), output: number("outputTokens"), cacheRead: number("cacheReadInputTokens"), cacheWrite: number("cacheCreationInputTokens"),
			searches: number("webSearchRequests"), thinking: number("thinkingTokens"), write5m: number("cacheCreationEphemeral5mInputTokens"),
			write1h: number("cacheCreationEphemeral1hInputTokens"),
		})
		l.models[m.Name].recalled = true
	}
}

// recall is the usage of a model in a session that was gone on with: its members have the order in
// which they were kept.
func (u *usage) recall(model string) object.Object {
	return object.Of("inputTokens", u.input, "outputTokens", u.output, "thinkingTokens", u.thinking, "cacheReadInputTokens", u.cacheRead,
		"cacheCreationInputTokens", u.cacheWrite, "cacheCreationEphemeral5mInputTokens", u.write5m, "cacheCreationEphemeral1hInputTokens", u.write1h,
		"webSearchRequests", u.searches, "costUSD", u.cost(), "contextWindow", contextWindow(model), "maxOutputTokens", maxOutput(model),
		"canonicalModel", model, "provider", "firstParty", "costBasis", "list")
}
