// Package flags reads the arguments that the CLI was started with.
package flags

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Set are the flags that the CLI was started with.
type Set struct {
	values  map[string][]string // by name, without dashes; a flag without a value has ""
	Prompt  []string            // the arguments that are no flags
	Unknown []string            // flags that are not known
}

// How many arguments a flag takes.
const (
	alone    = iota
	one      // the next one
	several  // all up to the next flag
	optional // the next one, unless that is a flag
)

// flagKinds are the flags that the CLI takes.
var flagKinds = map[string]int{
	"add-dir": several, "agent": one, "agents": one, "allow-dangerously-skip-permissions": alone, "allowedTools": several, "allowed-tools": several,
	"append-subagent-system-prompt": one, "append-system-prompt": one, "append-system-prompt-file": one, "autocompact": one, "await-claim": alone, "await-initialize": alone,
	"bare": alone, "betas": several, "brief": alone, "c": alone, "continue": alone, "d": optional, "dangerously-skip-permissions": alone,
	"debug": optional, "debug-file": one, "debug-to-stderr": alone, "disable-slash-commands": alone, "disallowedTools": several,
	"disallowed-tools": several, "effort": one, "exclude-dynamic-system-prompt-sections": alone, "fallback-model": one, "fork-session": alone,
	"forward-subagent-text": alone, "h": alone, "help": alone, "include-hook-events": alone, "include-partial-messages": alone, "initialize-fields": one, "input-format": one,
	"json-schema": one, "managed-settings": one, "managed-settings-in-initialize": alone, "max-budget-usd": one, "max-thinking-tokens": one, "max-turns": one, "mcp-config": several,
	"mcp-debug": alone, "model": one, "n": one, "name": one, "no-session-persistence": alone, "output-format": one, "p": alone, "permission-mode": one,
	"permission-prompt-tool": one, "permission-prompts": one, "project-config-root": one, "resume-drops-turn": one, "plan-mode-instructions": one, "plugin-dir": one, "plugin-dir-no-mcp": one, "plugin-url": one, "print": alone,
	"prompt-suggestions": optional, "r": optional, "replay-user-messages": alone, "restricted": alone, "resume": optional, "resume-session-at": one,
	"safe-mode": alone, "sdk-url": one, "session-id": one, "session-mirror": alone, "setting-sources": one, "settings": one,
	"strict-mcp-config": alone, "system-prompt": one, "system-prompt-file": one, "system-prompt-snapshot": one, "task-budget": one, "thinking": one,
	"thinking-display": one, "tools": several, "v": alone, "verbose": alone, "version": alone,
}

// otherNames are the short and the old names of flags.
var otherNames = map[string]string{
	"c": "continue", "d": "debug", "h": "help", "n": "name", "p": "print", "r": "resume", "v": "version",
	"allowed-tools": "allowedTools", "disallowed-tools": "disallowedTools",
}

// Parse reads arguments as the CLI does. A missing value is an error, an unknown flag is
// kept.
func Parse(args []string) (*Set, error) {
	o := &Set{values: map[string][]string{}}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			o.Prompt = append(o.Prompt, args[i+1:]...)
			break
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			o.Prompt = append(o.Prompt, arg)
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		kind, known := flagKinds[name]
		if !known {
			o.Unknown = append(o.Unknown, arg)
			continue
		}
		if long, ok := otherNames[name]; ok {
			name = long
		}
		next := func() bool { return i+1 < len(args) && (!strings.HasPrefix(args[i+1], "-") || args[i+1] == "-") }
		var values []string
		switch {
		case kind == alone || hasValue:
			values = []string{value}
		case kind == one:
			if i+1 >= len(args) {
				return nil, fmt.Errorf("error: option '--%s <value>' argument missing", name)
			}
			i++
			values = []string{args[i]}
		case kind == optional && !next():
			values = []string{""}
		case kind == optional:
			i++
			values = []string{args[i]}
		default:
			for next() {
				i++
				values = append(values, args[i])
			}
			if values == nil {
				return nil, fmt.Errorf("error: option '--%s <value...>' argument missing", name)
			}
		}
		o.values[name] = append(o.values[name], values...)
	}
	return o, nil
}

// Add adds a value to a flag, as if it were among the arguments.
func (o *Set) Add(name, value string) { o.values[name] = append(o.values[name], value) }

// Has reports whether a flag is there.
func (o *Set) Has(name string) bool { return o.values[name] != nil }

// Names returns the names of the flags that are there and known, sorted.
func (o *Set) Names() []string { return slices.Sorted(maps.Keys(o.values)) }

// Value returns the last value of a flag.
func (o *Set) Value(name string) string {
	if list := o.values[name]; len(list) > 0 {
		return list[len(list)-1]
	}
	return ""
}

// Values returns all values of a flag.
func (o *Set) Values(name string) []string { return o.values[name] }

// Beta is the only feature that can be asked for by --betas.
const Beta = "context-1m-2025-08-07"

// Betas are the values of --betas that count; nil if there are none.
func (o *Set) Betas() (list []string) {
	for _, name := range o.values["betas"] {
		if name == Beta {
			list = append(list, name)
		}
	}
	return list
}

// Rules returns the elements of a flag that takes lists of tools: separated by commas or spaces,
// which may also be inside brackets.
func (o *Set) Rules(name string) (list []string) {
	for _, v := range o.values[name] {
		depth, start := 0, 0
		cut := func(end int) {
			if rule := strings.TrimSpace(v[start:end]); rule != "" {
				list = append(list, rule)
			}
			start = end + 1
		}
		for i, c := range v {
			switch {
			case c == '(':
				depth++
			case c == ')':
				depth--
			case depth == 0 && (c == ',' || c == ' '):
				cut(i)
			}
		}
		if start < len(v) {
			cut(len(v))
		}
	}
	return slices.Clip(list)
}

// Stream reports whether the output is lines of JSON.
func (o *Set) Stream() bool { return o.Value("output-format") == "stream-json" }

// StreamInput reports whether the input is lines of JSON.
func (o *Set) StreamInput() bool { return o.Value("input-format") == "stream-json" }
