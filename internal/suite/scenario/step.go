package scenario

import (
	"regexp"
	"time"

	"github.com/ccwire/ccwire/transport/cli"
)

// Step is one step of a script.
type Step struct {
	Line   int    // in the script, from 1
	Source string // the step as it is written
	When   Range  // the versions that it is for; the zero Range means all
	Op     Op
}

// Op is what a step does: one of the types below.
type Op interface{ op() }

type (
	// Send writes a line: the text, expanded by [Vars.ExpandJSON], and LF.
	Send struct{ Text string }
	// SendRaw writes bytes as they are.
	SendRaw struct{ Bytes []byte }
	// Expect reads lines up to the first that matches.
	Expect struct{ Pattern *Pattern }
	// Unordered reads lines until each pattern has matched one, in any order.
	Unordered struct{ Patterns []Alternative }
	// Not says that no line that the next Expect or Unordered skips, matches.
	Not struct{ Pattern *Pattern }
	// Never says that no line matches from here to the end.
	Never struct{ Pattern *Pattern }
	// None waits and says that no line that comes in that time matches; a nil Pattern means any
	// line.
	None struct {
		For     time.Duration
		Pattern *Pattern
	}
	// Again says that the CLI may reply once more to the request with that id.
	Again struct{ ID string }
	// Auto answers the CLI's requests of one kind from here on.
	Auto struct{ Rule Rule }
	// EOF closes the CLI's input.
	EOF struct{}
	// Signal sends a signal to the CLI: "INT", "TERM" or "KILL".
	Signal struct{ Name string }
	// Touch makes an empty file in the working directory, for which a command waits.
	Touch struct{ Name string }
	// Exit reads to the end of the CLI's output and waits for its exit.
	Exit struct {
		Code int  // meaningless if Any
		Any  bool // whatever the code
	}
	// Stderr says that what the CLI has written to stderr matches. It waits for it.
	Stderr struct{ Re *regexp.Regexp }
	// API waits for request N of the conversation at the fake API and says that it matches; a nil
	// Pattern means: it came.
	API struct {
		N       int
		Pattern *Pattern
	}
	// APITotal says how many requests of the conversation have come until now.
	APITotal struct{ N int }
)

// Alternative is a pattern for some versions.
type Alternative struct {
	When    Range // the zero Range means all
	Pattern *Pattern
}

// For returns the patterns for a version.
func (u Unordered) For(version cli.Version) (patterns []*Pattern) {
	for _, a := range u.Patterns {
		if a.When.Contains(version) {
			patterns = append(patterns, a.Pattern)
		}
	}
	return patterns
}

func (Send) op()      {}
func (SendRaw) op()   {}
func (Expect) op()    {}
func (Unordered) op() {}
func (Not) op()       {}
func (Never) op()     {}
func (None) op()      {}
func (Again) op()     {}
func (Auto) op()      {}
func (EOF) op()       {}
func (Signal) op()    {}
func (Touch) op()     {}
func (Exit) op()      {}
func (Stderr) op()    {}
func (API) op()       {}
func (APITotal) op()  {}

// Rule answers requests of the CLI: one of the types below.
type Rule interface{ rule() }

type (
	// AllowTools allows each tool with its own input.
	AllowTools struct{}
	// AnswerWith answers the requests whose request member matches with a fixed response.
	AnswerWith struct {
		Pattern  *Pattern
		Response string // JSON
	}
	// ServeMCP is an MCP server inside the SDK.
	ServeMCP struct {
		Name string
		MCPOptions
	}
)

func (AllowTools) rule() {}
func (AnswerWith) rule() {}
func (ServeMCP) rule()   {}
