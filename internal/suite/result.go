package suite

import (
	"fmt"
	"time"

	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// Status is what came of a scenario on a target.
type Status string

const (
	Pass          Status = "pass"
	Fail          Status = "fail"
	KnownFailing  Status = "known-failing"  // it fails, and the list of known failures says so
	NotApplicable Status = "not-applicable" // it is not for this version
	// Inconclusive is neither a pass nor a failure: what the scenario supposes did not happen.
	Inconclusive Status = "inconclusive"
)

// Result is what came of one scenario on one target.
type Result struct {
	Scenario string         `json:"scenario"`
	Title    string         `json:"title"`
	Level    scenario.Level `json:"level"`
	// Harm is what an SDK that breaks the rule does to its user; "" for a CLI.
	Harm scenario.Harm `json:"harm,omitempty"`
	// Versions are those that the scenario is for, Conditions those that some of its steps are for.
	Versions   string   `json:"versions,omitempty"`
	Conditions []string `json:"conditions,omitempty"`
	Target     string   `json:"target"`
	Status     Status   `json:"status"`
	// Reason says why it is not a pass.
	Reason string `json:"reason,omitempty"`
	// Cause is what the session shows to be wrong first, such as a request without an answer, in
	// the same words for every scenario that fails by it; "" for a failure that is only that of its
	// rule.
	Cause string `json:"cause,omitempty"`
	// Played and Failed are how often it was played, and how often it failed, if that was asked
	// for.
	Played int `json:"played,omitempty"`
	Failed int `json:"failed,omitempty"`
	// First says why it was played twice, if it was: this is what came of the second play.
	First string `json:"first,omitempty"`
	// Line and Step are where in the script it failed.
	Line     int           `json:"line,omitempty"`
	Step     string        `json:"step,omitempty"`
	Duration time.Duration `json:"duration"`
	// Replies are how long the CLI took to reply, in the order of the requests.
	Replies []Reply `json:"replies,omitempty"`
	// Trace and Stderr are kept for failures only.
	Trace    []Event   `json:"trace,omitempty"`
	Stderr   string    `json:"stderr,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
	// Changes are how the session differs from those of other versions. They fail nothing.
	Changes []Change `json:"changes,omitempty"`
}

// Weight is what a change means for an SDK.
type Weight string

const (
	Breaks   Weight = "breaks"   // something is gone, or otherwise
	New      Weight = "new"      // something is there in addition
	Cosmetic Weight = "cosmetic" // no SDK should notice it
)

// Change is a way in which a session differs from those of the nearest recorded versions.
type Change struct {
	Weight Weight `json:"weight"`
	From   string `json:"from"`           // those versions
	Frame  string `json:"frame"`          // the type and subtype of the line
	Path   string `json:"path,omitempty"` // JSON pointer of the member; "" for the line as a whole
	Was    string `json:"was,omitempty"`  // "" if it was not there
	Is     string `json:"is,omitempty"`   // "" if it is not there
}

// Report is what came of a run.
type Report struct {
	Targets []string `json:"targets"`
	// Results are sorted by scenario, then in the order of the targets.
	Results []Result `json:"results"`
	// Problems are what else is wrong with the run, such as a known failure that does not exist.
	Problems []string `json:"problems,omitempty"`
	// Notes are what else is to be known, and fail nothing.
	Notes    []string      `json:"notes,omitempty"`
	Duration time.Duration `json:"duration"`
}

// Count returns how many results have the status.
func (r *Report) Count(s Status) (n int) {
	for i := range r.Results {
		if r.Results[i].Status == s {
			n++
		}
	}
	return n
}

// WantJudged makes it a problem that no scenario applies, for whoever asks for a verdict: that
// nothing failed says nothing then.
func (r *Report) WantJudged() {
	switch na, open := r.Count(NotApplicable), r.Count(Inconclusive); {
	case na == len(r.Results):
		r.Problems = append(r.Problems, fmt.Sprintf("nothing was judged: none of %d scenarios applies", na))
	case na+open == len(r.Results):
		r.Problems = append(r.Problems, fmt.Sprintf("nothing was judged: %d of %d scenarios are inconclusive, and the others do not apply", open, len(r.Results)))
	}
}

// OK reports whether nothing unexpected happened: every failure is known, and the run itself has no
// problem.
func (r *Report) OK() bool { return r.Count(Fail) == 0 && len(r.Problems) == 0 }
