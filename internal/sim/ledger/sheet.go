package ledger

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/models"
)

// sheet adds up what was used of the models.
type sheet struct {
	models map[string]*Usage
	order  []string
	total  Usage
}

// spend adds the usage of a message.
func (s *sheet) spend(model string, u Usage) {
	u.cost = u.Price(model)
	s.add(model, u)
}

// add adds what was used and has its cost.
func (s *sheet) add(model string, u Usage) {
	m := s.models[model]
	if m == nil {
		m = &Usage{}
		if s.models == nil {
			s.models = map[string]*Usage{}
		}
		s.models[model] = m
		s.order = append(s.order, model)
	}
	m.Add(u)
	m.again = m.recalled
	s.total.Add(u)
}

// byModel is the member modelUsage of a result.
func (s *sheet) byModel() object.Object {
	o := object.Object{}
	for _, name := range s.order {
		u := s.models[name]
		if u.recalled {
			value := u.recall(name)
			if !u.again {
				value = value.Without(ofRun...)
			}
			o = append(o, object.Member{Name: name, Value: value})
			continue
		}
		o = append(o, object.Member{Name: name, Value: object.Of(
			"inputTokens", u.Input, "outputTokens", u.Output, "cacheReadInputTokens", u.CacheRead, "cacheCreationInputTokens", u.CacheWrite,
			"webSearchRequests", u.searches, "costUSD", u.Cost(), "contextWindow", models.ContextWindow(name), "maxOutputTokens", models.MaxOutput(name),
			"thinkingTokens", u.thinking, "cacheCreationEphemeral5mInputTokens", u.write5m, "cacheCreationEphemeral1hInputTokens", u.write1h,
			"canonicalModel", models.Canonical(name), "provider", "firstParty", "costBasis", basis(name))})
	}
	return o
}

// ofRun are the members that tell of the run in which a model was used.
var ofRun = []string{"canonicalModel", "provider", "costBasis"}

// recall sets the sheet to what an earlier run of the session has used.
func (s *sheet) recall(models object.Object) {
	*s = sheet{}
	for _, m := range models {
		o, _ := m.Value.(object.Object)
		number := func(name string) int {
			n, _ := o.Number(name)
			return int(n)
		}
		cost, _ := o.Number("costUSD")
		s.add(m.Name, Usage{
			cost:  cost,
			Input: number("inputTokens"), Output: number("outputTokens"), CacheRead: number("cacheReadInputTokens"), CacheWrite: number("cacheCreationInputTokens"),
			searches: number("webSearchRequests"), thinking: number("thinkingTokens"), write5m: number("cacheCreationEphemeral5mInputTokens"),
			write1h: number("cacheCreationEphemeral1hInputTokens"),
		})
		s.models[m.Name].recalled = true
	}
}

// recall is the usage of a model in a session that was gone on with: its members have the order in
// which they were kept.
func (u *Usage) recall(model string) object.Object {
	return object.Of("inputTokens", u.Input, "outputTokens", u.Output, "thinkingTokens", u.thinking, "cacheReadInputTokens", u.CacheRead,
		"cacheCreationInputTokens", u.CacheWrite, "cacheCreationEphemeral5mInputTokens", u.write5m, "cacheCreationEphemeral1hInputTokens", u.write1h,
		"webSearchRequests", u.searches, "costUSD", u.Cost(), "contextWindow", models.ContextWindow(model), "maxOutputTokens", models.MaxOutput(model),
		"canonicalModel", models.Canonical(model), "provider", "firstParty", "costBasis", basis(model))
}

// basis says what the cost of a model is computed from.
func basis(model string) string {
	if models.PriceOf(model).Listed {
		return "list"
	}
	return "unknown"
}
