package turn

import (
	"errors"
	"slices"
	"strconv"
)

// errBudget says that the tools of an answer are not used because it has cost too much.
var errBudget = errors.New("the budget is spent")

// spentAll reports whether this run of the session has cost as much as it may, with more dollars
// than are in the ledger.
func (s *Stage) spentAll(more float64) bool {
	limit, err := strconv.ParseFloat(s.Flags.Value("max-budget-usd"), 64)
	return err == nil && s.Spent.RunCost()+more >= limit
}

// quick are the tools that have something to tell before the message is complete that uses them.
var quick = commandSet("Agent EnterPlanMode ExitPlanMode Glob Grep Read Skill Task ToolSearch")

// tooDear reports whether an answer of the model that uses tools has spent the budget.
func (st *streaming) tooDear() bool {
	return st.agent.ID == "" && len(st.got.toolUses(st.turn, st.agent)) > 0 && st.turn.stage.spentAll(st.used().Price(st.model))
}

// cutShort reports whether the end of such an answer is not told: it is, if the last of the tools
// takes its time.
func (st *streaming) cutShort() bool {
	if !st.tooDear() {
		return false
	}
	uses := st.got.toolUses(st.turn, st.agent)
	tools := st.turn.stage.Tools
	last := uses[len(uses)-1]
	if slices.ContainsFunc(uses[:len(uses)-1], func(u *Use) bool { return !tools.Concurrent(u) }) {
		return false
	}
	refused, missing := tools.Refused(last)
	return quick[last.Name] || refused != nil && !missing
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
