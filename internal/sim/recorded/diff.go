package recorded

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// Diff tells what two scripts have in other ways, one line for each turn or result of a tool: those
// of the first alone begin with "-", those of the second with "+", and those around them with a
// space. It is empty for scripts that say the same. Pauses, usage and notes do not count, nor does
// the order of the results of one tool: tools that are used at the same time end in any.
func Diff(before, after *script.Script) []string {
	return compare(lines(before), lines(after))
}

// lines are a script as a person reads it.
func lines(s *script.Script) (all []string) {
	for i := range s.Turns {
		all = append(all, line(&s.Turns[i]))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Tools)) {
		var results []string
		for _, r := range s.Tools[name] {
			text := "tool " + name + " " + compact(r.Input) + " gives "
			if r.IsError {
				text += "an error: "
			}
			if slices.Contains(starting, name) {
				text += "what the subagent said" // which is a turn; the rest is the CLI's
			} else {
				text += cmp.Or(r.Text, compact(r.Content))
			}
			results = append(results, text)
		}
		slices.Sort(results)
		all = append(all, results...)
	}
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "\n", `\n`)
	}
	return all
}

// compact returns JSON without spaces.
func compact(data json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return string(data) // "" if there is none
	}
	return b.String()
}

func line(t *fakeapi.Turn) string {
	who := "model: "
	if t.Match != nil && t.Match.From == fakeapi.Subagent {
		who = fmt.Sprintf("model to the subagent %q: ", t.Match.Prompt)
	}
	var parts []string
	switch {
	case t.Error != nil:
		parts = append(parts, fmt.Sprintf("error %d %s", t.Error.Status, t.Error.Message))
	case t.Text != "":
		parts = append(parts, t.Text)
	}
	for _, b := range t.Content {
		var block struct {
			Type, Name, Text, Thinking string
			Input                      json.RawMessage
		}
		data, _ := json.Marshal(b)       // made of valid JSON
		_ = json.Unmarshal(data, &block) // what is of another kind is shown by its type
		switch block.Type {
		case "text":
			parts = append(parts, block.Text)
		case "tool_use":
			parts = append(parts, "uses "+block.Name+" "+compact(block.Input))
		default:
			parts = append(parts, "("+block.Type+") "+block.Thinking)
		}
	}
	if t.StopReason != "" {
		parts = append(parts, "stops with "+t.StopReason)
	}
	if t.Cut != nil {
		parts = append(parts, "ends early: "+string(t.Cut.How))
	}
	return who + strings.Join(parts, " | ")
}

// compare returns the lines of two lists with what is in one alone marked, if there is any. The
// longest common part is found by the lengths of those of all ends of the lists.
func compare(a, b []string) (out []string) {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	if length[0][0] == len(a) && len(a) == len(b) {
		return nil
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, "  "+a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && length[i+1][j] >= length[i][j+1]:
			out = append(out, "- "+a[i])
			i++
		default:
			out = append(out, "+ "+b[j])
			j++
		}
	}
	return out
}
