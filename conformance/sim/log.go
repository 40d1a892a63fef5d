package sim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ccwire/ccwire/internal/sim/journal"
)

// Dir says what an [Entry] is.
type Dir string

// What the Dir of an [Entry] can be.
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

// Entry is one line of a session's log: a line that either side wrote, the start, or the end. Its
// JSON is described in docs/simulated.md.
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

// Decode reads the line as JSON into v.
func (e *Entry) Decode(v any) error { return json.Unmarshal([]byte(e.Line), v) }

// Type returns the type of the line, "" if it has none.
func (e *Entry) Type() string {
	var l struct{ Type string }
	if e.Decode(&l) != nil {
		return ""
	}
	return l.Type
}

// ReadLog reads a log that a program has written: that of "protogen sim --log", for one.
func ReadLog(name string) ([]Entry, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	list, err := journal.Read(file)
	return entries(list), err
}

func entries(list []journal.Entry) []Entry {
	all := make([]Entry, len(list))
	for i, e := range list {
		all[i] = Entry{
			Dir: Dir(e.Dir), Key: e.Key, At: e.At, Time: e.Time, Version: e.Version, Args: e.Args, Cwd: e.Cwd, Env: e.Env,
			Number: e.Number, Line: e.Line, Base64: e.Base64, Unterminated: e.Unterminated, Truncated: e.Truncated, Code: e.Code, Signal: e.Signal, Stderr: e.Stderr,
		}
	}
	return all
}

// Log returns what was written so far by both sides, in all sessions: first those in this process,
// then those of programs that [CLI.Install] wrote, one after the other in the order in which they
// began. What these programs have logged lies beside them, and is gone with their folder.
func (c *CLI) Log() []Entry {
	all := entries(c.log.Entries())
	c.mu.Lock()
	folders := slices.Clone(c.logs)
	c.mu.Unlock()
	var sessions [][]Entry
	for _, folder := range folders {
		files, _ := os.ReadDir(folder) // none once it is removed
		for _, file := range files {
			sessions = append(sessions, written(filepath.Join(folder, file.Name())))
		}
	}
	slices.SortStableFunc(sessions, func(a, b []Entry) int { return cmp.Compare(began(a), began(b)) })
	return slices.Concat(append([][]Entry{all}, sessions...)...)
}

// written returns the entries of a log to which a process may still write.
func written(name string) []Entry {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	list, _ := journal.Read(bytes.NewReader(whole)) // whole entries of our own
	return entries(list)
}

// began returns when the first session of a log began, in nanoseconds.
func began(log []Entry) int64 {
	if len(log) == 0 || log[0].Time == nil {
		return 0
	}
	return log[0].Time.UnixNano()
}

// Lines returns the lines that the SDK, or the CLI, has written so far.
func (c *CLI) Lines(dir Dir) (lines []string) {
	for _, e := range c.Log() {
		if e.Dir == dir {
			lines = append(lines, e.Line)
		}
	}
	return lines
}
