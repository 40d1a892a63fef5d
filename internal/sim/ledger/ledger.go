// Package ledger owns what a session has used of the models, and what that costs.
package ledger

import (
	"sync"

	"github.com/ccwire/ccwire/internal/object"
)

// Ledger adds up what a session has used. Its methods may be called at the same time.
type Ledger struct {
	mu    sync.Mutex // guards the fields below
	spent sheet
	since sheet   // what was spent since the last result
	kept  float64 // what earlier runs of the session have cost
	asked int     // requests of the session itself

	added, removed int // lines of files
}

// Spend notes what a request to a model has used.
func (l *Ledger) Spend(model string, u Usage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent.spend(model, u)
	l.since.spend(model, u)
}

// Answered notes that the model has answered a request of the session itself.
func (l *Ledger) Answered() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked++
}

// Change notes how many lines of files a tool has added and removed.
func (l *Ledger) Change(added, removed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.added += added
	l.removed += removed
}

// Changed is how many lines of files tools have added and removed.
func (l *Ledger) Changed() (added, removed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.added, l.removed
}

// Requests is how many requests of the session itself the model has answered.
func (l *Ledger) Requests() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked
}

// Cost is what everything costs, in dollars.
func (l *Ledger) Cost() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spent.total.Cost()
}

// RunCost is what this run of the session costs, in dollars.
func (l *Ledger) RunCost() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spent.total.Cost() - l.kept
}

// Total is what was used of all models together.
func (l *Ledger) Total() Usage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spent.total
}

// Each calls f for each model, in the order in which they were first used.
func (l *Ledger) Each(f func(model string, u Usage)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range l.spent.order {
		f(name, *l.spent.models[name])
	}
}

// ByModel is what was used of each model: the member modelUsage of a result.
func (l *Ledger) ByModel() object.Object {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spent.byModel()
}

// Statement is what a result tells of the ledger.
type Statement struct {
	Cost    float64
	ByModel object.Object
	Since   object.Object // the same, since the last statement
}

// State makes a statement: what is spent from now on is since it.
func (l *Ledger) State() Statement {
	l.mu.Lock()
	defer l.mu.Unlock()
	st := Statement{l.spent.total.Cost(), l.spent.byModel(), l.since.byModel()}
	l.since = sheet{}
	return st
}

// Kept is what is kept of each model for a later run of the session.
func (l *Ledger) Kept() object.Object {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := object.Object{}
	for _, name := range l.spent.order {
		o = append(o, object.Member{Name: name, Value: l.spent.models[name].recall(name).Without("contextWindow", "maxOutputTokens").Without(ofRun...)})
	}
	return o
}

// Recall sets the ledger to what an earlier run of the session has kept.
func (l *Ledger) Recall(kept object.Object) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent.recall(kept)
	l.kept = l.spent.total.Cost()
}

// Clear forgets everything.
func (l *Ledger) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent, l.since, l.kept, l.asked = sheet{}, sheet{}, 0, 0
}
