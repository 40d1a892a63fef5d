package probe

// Kind is a kind of name that a CLI recognises.
type Kind string

const (
	Request        Kind = "control request"
	StdinType      Kind = "type of line on stdin"
	HookEvent      Kind = "hook event"
	PermissionMode Kind = "permission mode"
	Flag           Kind = "flag"
)

// Kinds are all kinds, in the order of a report.
var Kinds = []Kind{Request, StdinType, HookEvent, PermissionMode, Flag}

// Report is what a probe has found.
type Report struct {
	Version string `json:"version"`
	// Findings are one for each kind that was asked for.
	Findings []Findings `json:"findings"`
}

// Findings are what is known of the names of one kind.
type Findings struct {
	Kind Kind `json:"kind"`
	// Unclear says why this version does not let names of this kind be told apart. Then nothing
	// else is known.
	Unclear string `json:"unclear,omitempty"`
	// Tried is how many names were sent.
	Tried int `json:"tried"`
	// Limit says what these findings leave out, if anything.
	Limit string `json:"limit,omitempty"`
	// Recognised are the names that the CLI does not refuse, sorted.
	Recognised []string `json:"recognised,omitempty"`
	// New are those of them that the schemas lack.
	New []Finding `json:"new,omitempty"`
	// Gone are the names that the schemas have for this version and that the CLI refuses, sorted.
	Gone []string `json:"gone,omitempty"`
}

// Finding is a name that the CLI recognises, with what it answered.
type Finding struct {
	Name  string `json:"name"`
	Reply string `json:"reply"`
}

// Empty reports whether nothing was found that the schemas do not say.
func (r *Report) Empty() bool {
	for _, f := range r.Findings {
		if len(f.New)+len(f.Gone) > 0 {
			return false
		}
	}
	return true
}
