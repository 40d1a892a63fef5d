package turn

import (
	"errors"
	"strconv"
)

// errBudget says that the tools of an answer are not used because it has cost too much.
var errBudget = errors.New("the budget is spent")

// spentAll reports whether the session has cost as much as it may, with more dollars than are in
// the ledger.
func (s *Stage) spentAll(more float64) bool {
	limit, err := strconv.ParseFloat(s.Flags.Value("max-budget-usd"), 64)
	return err == nil && s.Spent.Cost()+more >= limit
}

// tooDear reports whether an answer of the model that uses tools has spent the budget. Its end is
// then not told, unless a command runs on meanwhile.
func (st *streaming) tooDear() bool {
	uses := st.got.toolUses(st.turn, st.agent)
	if st.agent.ID != "" || len(uses) == 0 || uses[len(uses)-1].Name == "Bash" {
		return false
	}
	return st.turn.stage.spentAll(st.used().Price(st.model))
}

// overBudget is the outcome of a turn that --max-budget-usd ends.
func (t *Turn) overBudget() Outcome {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Outcome{
		Reason: "budget_exhausted", Subtype: "error_max_budget_usd", IsError: true, StopReason: t.stopReason,
		Errors: []string{"Reached maximum budget ($" + t.stage.Flags.Value("max-budget-usd") + ")"},
	}
}
