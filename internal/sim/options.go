package sim

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/sim/flags"
)

// choices are the flags whose values must be among some.
var choices = []struct {
	name, shown string
	values      []string
}{
	{"output-format", "--output-format <format>", []string{"text", "json", "stream-json"}},
	{"input-format", "--input-format <format>", []string{"text", "stream-json"}},
}

// numbers are the flags whose values must be numbers, with what is said of others.
var numbers = []struct{ name, shown, text string }{
	{"max-budget-usd", "--max-budget-usd <amount>", "--max-budget-usd must be a positive number greater than 0"},
	{"max-turns", "--max-turns <turns>", "must be a number"},
	{"max-thinking-tokens", "--max-thinking-tokens <tokens>", "must be a number"},
}

// checkValues returns what is wrong with a flag that takes numbers or some values only, "" if
// nothing is.
func checkValues(o *flags.Set) string {
	for _, f := range choices {
		if v := o.Value(f.name); o.Has(f.name) && !slices.Contains(f.values, v) {
			return fmt.Sprintf("error: option '%s' argument '%s' is invalid. Allowed choices are %s.", f.shown, v, strings.Join(f.values, ", "))
		}
	}
	for _, name := range initializeNames(o) {
		if !slices.ContainsFunc(initializeFields, func(f initializeField) bool { return f.name == name }) {
			return fmt.Sprintf("error: option '--initialize-fields <names>' argument '%s' is invalid.", o.Value("initialize-fields"))
		}
	}
	for _, f := range numbers {
		if !o.Has(f.name) {
			continue
		}
		n, err := strconv.ParseFloat(o.Value(f.name), 64)
		if err != nil || f.name == "max-budget-usd" && n <= 0 {
			return fmt.Sprintf("error: option '%s' argument '%s' is invalid. %s", f.shown, o.Value(f.name), f.text)
		}
	}
	return ""
}

var uuid = regexp.MustCompile(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// checkSession returns what is wrong with the flags that name a session, "" if nothing is.
func (s *Session) checkSession() string {
	o := s.flags
	if o.Has("resume-session-at") && !o.Has("resume") {
		return "Error: --resume-session-at requires --resume"
	}
	id := o.Value("session-id")
	switch {
	case !o.Has("session-id"):
		return ""
	case (o.Has("resume") || o.Has("continue")) && !o.Has("fork-session"):
		return "Error: --session-id goes with --continue or --resume only if --fork-session is given too."
	case !uuid.MatchString(id):
		return "Error: Invalid session ID. Must be a valid UUID."
	}
	if _, err := os.Stat(filepath.Join(s.place.ProjectDir(), id+".jsonl")); err == nil {
		return fmt.Sprintf("Error: Session ID %s is already in use.", id)
	}
	return ""
}

// checkFiles returns what is wrong with the flags that name settings, files and subagents, "" if
// nothing is.
func (s *Session) checkFiles() string {
	o := s.flags
	for _, name := range strings.Split(o.Value("setting-sources"), ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains([]string{"user", "project", "local"}, name) {
			return fmt.Sprintf("Error processing --setting-sources: Invalid setting source: %s. Valid options are: user, project, local", name)
		}
	}
	for flag, what := range map[string]string{"system-prompt-file": "System prompt", "append-system-prompt-file": "Append system prompt"} {
		path := o.Value(flag)
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.place.Dir(), path)
		}
		if _, err := os.Stat(path); o.Has(flag) && err != nil {
			return fmt.Sprintf("Error: %s file not found: %s", what, path)
		}
	}
	if text := o.Value("agents"); text != "" && !json.Valid([]byte(text)) {
		return "Error: Invalid --agents configuration: it is not JSON"
	}
	return ""
}
