package journal

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Dir says what an entry is.
type Dir string

const (
	Header    Dir = "header"    // the first entry of a session: Time, Version, Args, Cwd, Env
	API       Dir = "api"       // what the model is asked: Number and Line
	ToCLI     Dir = "sdk->cli"  // a line that the SDK wrote
	ToSDK     Dir = "cli->sdk"  // a line that the CLI wrote
	EOF       Dir = "sdk-eof"   // the SDK closed its end
	Closed    Dir = "closed"    // the SDK closed what the CLI writes to: Line is stdout or stderr
	Signal    Dir = "signal"    // a signal came: Line is its name, such as INT
	Fault     Dir = "fault"     // a fault happens for the first time: Line is the fault, such as noise@result
	Chaos     Dir = "chaos"     // Line is the seed and the faults that are made of it
	Unmatched Dir = "unmatched" // no turn of the script was left: Line says for what
	Unused    Dir = "unused"    // a turn, a tool's result or a fault that nothing came of: Line says which
	Blocked   Dir = "blocked"   // the SDK has not read for a while what the CLI writes: Line is stdout or stderr
	Exit      Dir = "exit"      // the last entry: Code, Signal if one ended it, Stderr
)

// Entry is one line of a journal.
type Entry struct {
	Dir Dir `json:"dir"`
	// Key is the same in all entries of a session, and another in those of any other.
	Key string `json:"key,omitempty"`
	// At is the time in milliseconds since the session began.
	At float64 `json:"t_ms"`

	Time    *time.Time        `json:"time,omitempty"` // when the session began
	Version string            `json:"version,omitempty"`
	Args    []string          `json:"args,omitempty"` // of the CLI
	Cwd     string            `json:"cwd,omitempty"`
	Env     map[string]string `json:"env,omitempty"` // what matters of the environment

	Number int `json:"number,omitempty"` // of a request to the model, from 1
	// Line is the text of a line without its line feed.
	Line string `json:"line,omitempty"`
	// Base64 has the exact bytes of a line that is not UTF-8.
	Base64 string `json:"line_b64,omitempty"`
	// Unterminated says that no line feed followed.
	Unterminated bool `json:"unterminated,omitempty"`
	// Truncated is the length in bytes of a line of which Line has only the start.
	Truncated int `json:"truncated_from_chars,omitempty"`

	Code   *int   `json:"code,omitempty"`
	Signal string `json:"signal,omitempty"`
	Stderr string `json:"stderr,omitempty"` // the end of what the CLI has written there
}

// Read reads the entries of a journal.
func Read(r io.Reader) ([]Entry, error) {
	var entries []Entry
	for dec := json.NewDecoder(r); ; {
		var e Entry
		switch err := dec.Decode(&e); {
		case err == io.EOF:
			return entries, nil
		case err != nil:
			return entries, fmt.Errorf("entry %d of the log: %w", len(entries)+1, err)
		}
		entries = append(entries, e)
	}
}

// matters are the starts of the names of variables that change what the CLI does.
var matters = []string{"ANTHROPIC_", "CLAUDE_", "CLAUDECODE", "CCWIRE_", "MCP_", "DISABLE_", "MAX_THINKING_TOKENS", "IS_SANDBOX", "HOME=", "PATH="}

// secret are parts of the names of variables whose values are left out.
var secret = []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "HEADERS"}

// environment returns what matters of an environment. The values of secrets are left out.
func environment(env []string) map[string]string {
	kept := map[string]string{}
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		if !slices.ContainsFunc(matters, func(start string) bool { return strings.HasPrefix(variable, start) }) {
			continue
		}
		if slices.ContainsFunc(secret, func(part string) bool { return strings.Contains(name, part) }) && name != "MAX_THINKING_TOKENS" {
			value = "[secret]"
		}
		kept[name] = value
	}
	return kept
}
