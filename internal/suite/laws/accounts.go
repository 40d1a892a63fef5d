package laws

import (
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
)

// accounts is what the results of a session say of its costs and tokens so far.
type accounts struct {
	results int
	cost    float64
	models  map[string]usage
}

// usage is what a model was used, by the names of the members.
type usage map[string]any

func (u usage) number(name string) float64 {
	n, _ := u[name].(float64)
	return n
}

// counted are the members of a usage that add up.
var counted = []string{
	"inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "webSearchRequests", "costUSD",
}

// amount finds the members that cannot be negative: times, costs and counts.
var amount = regexp.MustCompile(`(_ms|Ms|_usd|USD|[tT]okens|num_turns|[sS]econds|_count|Count)$`)

// take checks the numbers of a line.
func (a *accounts) take(s *session, f *frame, line []byte) {
	if f.Type == "conversation_reset" {
		*a = accounts{}
	}
	if f.Type != "result" && f.Type != "system" {
		return
	}
	var all any
	if json.Unmarshal(line, &all) == nil {
		positive(s, "", all)
	}
	var r struct {
		Cost   *float64         `json:"total_cost_usd"`
		Models map[string]usage `json:"modelUsage"`
		Since  map[string]usage `json:"model_usage_since_last_result"`
	}
	if f.Type != "result" || json.Unmarshal(line, &r) != nil || r.Cost == nil {
		return
	}
	sum := 0.0
	for _, u := range r.Models {
		sum += u.number("costUSD")
	}
	if len(r.Models) > 0 && !near(sum, *r.Cost) {
		s.broken("costs add up", "total_cost_usd is %v, the models cost %v", *r.Cost, sum)
	}
	if *r.Cost < a.cost && !near(*r.Cost, a.cost) {
		s.broken("costs never go down", "total_cost_usd is %v, it was %v", *r.Cost, a.cost)
	}
	a.used(s, r.Models, r.Since)
	a.results, a.cost, a.models = a.results+1, *r.Cost, r.Models
}

// used checks what each model was used against the result before.
func (a *accounts) used(s *session, models, since map[string]usage) {
	for _, name := range slices.Sorted(maps.Keys(models)) {
		for _, member := range counted {
			now, was := models[name].number(member), a.models[name].number(member)
			if now < was && !near(now, was) {
				s.broken("usage never goes down", "%s of %s is %v, it was %v", member, name, now, was)
			}
			if told := since[name].number(member); since != nil && a.results > 0 && !near(now-was, told) {
				s.broken("usage adds up", "%s of %s is %v since the last result, by the sums it is %v", member, name, told, now-was)
			}
		}
	}
}

// near reports whether two amounts are the same but for the errors of adding them.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9+1e-6*max(math.Abs(a), math.Abs(b))
}

// positive checks that no amount is negative.
func positive(s *session, name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			positive(s, name, v[name])
		}
	case []any:
		for _, e := range v {
			positive(s, name, e)
		}
	case float64:
		if v < 0 && amount.MatchString(name) {
			s.broken("no amount is negative", "%s is %v", name, v)
		}
	}
}
