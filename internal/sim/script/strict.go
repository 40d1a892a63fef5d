package script

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/near"
	"github.com/ccwire/ccwire/internal/place"
)

// Strictness says which departures from a script are errors.
type Strictness string

const (
	// Lax: none.
	Lax Strictness = ""
	// Prompts: what no turn is left for, and what no API says: a block of an unknown type, a tool
	// use without a name.
	Prompts Strictness = "prompts"
	// All: also what was never used, at the end of each process.
	All Strictness = "all"
)

// ParseStrictness reads the value of a flag.
func ParseStrictness(text string) (Strictness, error) {
	switch text {
	case "", "false":
		return Lax, nil
	case "true", string(All):
		return All, nil
	case string(Prompts):
		return Prompts, nil
	}
	return Lax, fmt.Errorf("strict %q; use true, false or %q", text, Prompts)
}

// UnmarshalJSON reads true, false or a text.
func (s *Strictness) UnmarshalJSON(data []byte) (err error) {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data)
	}
	*s, err = ParseStrictness(text)
	return err
}

// blocks are the types that blocks of a message can have.
var blocks = strings.Fields("advisor_tool_result bash_code_execution_tool_result browser_state code_execution_tool_result compaction container_upload " +
	"document fallback image mcp_tool_listing mcp_tool_result mcp_tool_use redacted_thinking search_result server_tool_use text " +
	"text_editor_code_execution_tool_result thinking tool_addition tool_reference tool_removal tool_result tool_search_tool_result tool_use " +
	"web_fetch_tool_result web_search_tool_result")

// CheckStrict refuses what no API says. Name and data are those of the script, for the error's
// place.
func (s *Script) CheckStrict(name string, data []byte) error {
	for i := range s.Turns {
		if err := checkBlocks(&s.Turns[i]); err != nil {
			return place.At(name, data, place.Element(data, "turns", i), fmt.Errorf("turn %d: %w", i+1, err))
		}
	}
	if s.Default != nil {
		if err := checkBlocks(s.Default); err != nil {
			return ErrorAt(name, data, `"default"`, fmt.Errorf("default: %w", err))
		}
	}
	return nil
}

func checkBlocks(t *fakeapi.Turn) error {
	for i, b := range t.Content {
		var kind, name string
		_ = json.Unmarshal(b["type"], &kind) // checked with its script
		_ = json.Unmarshal(b["name"], &name) // what is not a text is no name
		switch {
		case !slices.Contains(blocks, kind):
			text := ""
			if words := near.Words(kind, blocks); len(words) > 0 {
				text = "; did you mean " + strings.Join(words, " or ") + "?"
			}
			return fmt.Errorf("block %d: strict: unknown type %q%s", i, kind, text)
		case hasInput(kind) && name == "":
			return fmt.Errorf("block %d: strict: %s without a name", i, kind)
		}
	}
	return nil
}

// Unmatched returns what the user said that no turn was left for.
func (m *Model) Unmatched() (list []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, said := range m.unmatched {
		list = append(list, missed(said))
	}
	return list
}

func missed(said string) string { return fmt.Sprintf("no turn is left for %q", short(said)) }

// Unused returns what the script has and nobody asked for: turns, but for those that answer every
// request that comes, and results of tools.
func (m *Model) Unused() (list []string) {
	for _, n := range m.Stage.Unused() {
		if t := &m.script.Turns[n-1]; t.Times >= 0 {
			list = append(list, fmt.Sprintf("turn %d%s", n, about(t)))
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, tool := range slices.Sorted(maps.Keys(m.script.Tools)) {
		for i := range m.script.Tools[tool] {
			if m.used[use{tool, i}] == 0 {
				list = append(list, fmt.Sprintf("result %d of the tool %s", i+1, tool))
			}
		}
	}
	return list
}

// about says in a few words which turn it is.
func about(t *fakeapi.Turn) string {
	if t.Match != nil {
		if data, err := json.Marshal(t.Match); err == nil {
			return " (match " + short(string(data)) + ")"
		}
	}
	if t.Text != "" {
		return fmt.Sprintf(" (%q)", short(t.Text))
	}
	return ""
}

// short returns the start of a long text.
func short(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	end := most
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
