package conformance

import (
	"io"
	"time"

	"github.com/ccwire/ccwire/internal/reports"
	"github.com/ccwire/ccwire/internal/suite"
)

// Status is what came of a scenario.
type Status string

const (
	Pass          Status = "pass"
	Fail          Status = "fail"
	KnownFailing  Status = "known-failing"  // it fails, and the known failures say so
	NotApplicable Status = "not-applicable" // it is for other versions, or for what an SDK does not have
	Inconclusive  Status = "inconclusive"   // neither: what the scenario supposes did not happen
)

// Result is what came of one scenario.
type Result struct {
	Scenario string // AREA/NAME
	Title    string // what must hold
	Level    string // "required" or "recommended"
	Harm     string // what an SDK that breaks the rule does to its user; "" for a CLI
	Status   Status
	Reason   string // why it is not a pass
	Cause    string // the same for all failures of one cause; "" for one that is only that of its rule
	Line     int    // where in the script of the scenario it failed; 0 if no step did
	Step     string // the step of that line
	Duration time.Duration
	Events   []Event // what passed, of a failure
	Stderr   string  // the end of it, of a failure
	// Unnamed is what a CLI wrote that the schemas do not name. It fails nothing.
	Unnamed []string
	// Changed is how the session differs from those of the nearest recorded versions, for a version
	// that is not recorded. Each begins with what it means for an SDK: breaks, new or cosmetic.
	Changed []string
}

// Event is one thing that happened in a session.
type Event struct {
	At   time.Duration // since the start of the session
	From string        // "sdk" or "cli" for a line that it wrote, "note" for a remark
	Text string
}

// Report is what came of a run.
type Report struct {
	Target   string   // what was judged: the version of a CLI, the name and version of an SDK
	Results  []Result // sorted by scenario
	Problems []string // what else is wrong, such as a known failure that passes
	Notes    []string // what else is to be known, and fails nothing
	Duration time.Duration

	report *suite.Report
}

// OK reports whether nothing unexpected happened: every failure is known, and there is no problem.
func (r *Report) OK() bool { return r.report.OK() }

// Count returns how many results have the status.
func (r *Report) Count(s Status) int { return r.report.Count(suite.Status(s)) }

// WriteText writes the report as the command prints it.
func (r *Report) WriteText(w io.Writer) error { return reports.Table(w, r.report, reports.Style{}) }

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error { return reports.JSON(w, r.report) }

// WriteJUnit writes the report in the form that build servers read.
func (r *Report) WriteJUnit(w io.Writer) error { return reports.JUnit(w, r.report) }

// WriteHTML writes the report as one page that needs no other file and no script.
func (r *Report) WriteHTML(w io.Writer) error { return reports.HTML(w, r.report) }

func newReport(r *suite.Report) *Report {
	public := &Report{Problems: r.Problems, Notes: r.Notes, Duration: r.Duration, report: r}
	if len(r.Targets) > 0 {
		public.Target = r.Targets[0]
	}
	for i := range r.Results {
		public.Results = append(public.Results, newResult(&r.Results[i]))
	}
	return public
}

func newResult(r *suite.Result) Result {
	public := Result{
		Scenario: r.Scenario, Title: r.Title, Level: string(r.Level), Harm: string(r.Harm), Cause: r.Cause, Status: Status(r.Status), Reason: r.Reason,
		Line: r.Line, Step: r.Step, Duration: r.Duration, Stderr: r.Stderr,
	}
	for _, e := range r.Trace {
		public.Events = append(public.Events, Event{At: e.At, From: string(e.From), Text: e.Text})
	}
	for _, f := range r.Findings {
		public.Unnamed = append(public.Unnamed, f.Frame+": "+f.String())
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		public.Changed = append(public.Changed, string(c.Weight)+": "+reports.ChangeText(c))
	}
	return public
}
