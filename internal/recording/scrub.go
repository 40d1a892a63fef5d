package recording

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// A Scrubber makes the entries of a session equal to those of any other session that went the same
// way.
type Scrubber struct {
	Names *Names
	// Mentions reports whether the scenario has a text; what it has is kept where the rest of a
	// list is not.
	Mentions func(text string) bool
	// Wanted are expressions; what they find in a text that is too long to be kept, is kept.
	Wanted []*regexp.Regexp
	// Stderr are the expressions for the lines of stderr that are kept.
	Stderr []*regexp.Regexp
	// MaxText is the longest text that is kept, in characters; 0 means 300.
	MaxText int
	// Lists are names of lists of which one element of each shape is kept, beside the usual ones.
	Lists []string
}

// Entries scrubs the entries of one session, in their order.
func (s *Scrubber) Entries(entries []Entry) []Entry {
	out := slices.Clone(entries)
	for i := range out {
		e := &out[i]
		switch e.Dir {
		case Header:
			e.Args = slices.Clone(e.Args)
			for j := range e.Args {
				e.Args[j] = s.Names.Hide(e.Args[j])
			}
		case ToSDK:
			e.Line = s.Line(e.Line)
			e.cut()
		case ToCLI:
			if e.Base64 == "" {
				e.Line = s.Names.Hide(e.Line)
			}
		case API:
			e.Line = s.Line(e.Line)
		case Exit:
			e.Stderr = s.stderr(e.Stderr)
		}
	}
	for i := range out { // at last, since ids are numbered as they appear
		out[i].Failed = s.Names.Hide(out[i].Failed)
	}
	return out
}

// stderr keeps the lines that the scenario looks for: the others may hold anything.
func (s *Scrubber) stderr(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if slices.ContainsFunc(s.Stderr, func(re *regexp.Regexp) bool { return re.MatchString(line) }) {
			if len(line) > 300 {
				line = strings.ToValidUTF8(line[:300], "")
			}
			kept = append(kept, s.Names.Hide(line))
		}
	}
	return strings.Join(kept, "\n")
}

// Line scrubs one line that the CLI wrote.
func (s *Scrubber) Line(line string) string {
	s.Names.learn(line)
	v, err := object.ParseExact([]byte(line))
	if err != nil {
		return s.Names.Hide(line)
	}
	return object.Text(s.value("", v))
}

// inventories are the lists of what is built into a CLI. Their contents are not part of the
// protocol; one element of each shape is kept.
var inventories = map[string]bool{
	"commands": true, "agents": true, "models": true, "tools": true, "slash_commands": true, "skills": true,
	"available_output_styles": true, "capabilities": true, "plugins": true, "systemTools": true, "deferredBuiltinTools": true,
	"systemPromptSections": true, "skillFrontmatter": true, "gridRows": true, "messageBreakdown": true, "betas": true,
}

// IsInventory reports whether a member of this name is a list of what is built into a CLI, of which
// a recording has some elements only.
func IsInventory(name string) bool { return inventories[name] }

// prose are members whose texts are somebody's sentences.
var prose = map[string]bool{
	"description": true, "whenToUse": true, "tooltip": true, "systemPrompt": true, "promptSuggestion": true,
}

// maxText is the longest text that is kept.
const maxText = 300

// maxProse is the longest text that is kept in a member of prose.
const maxProse = 40

// secretLength is the length of the secret with which a login is told apart from others.
const secretLength = 43

// value returns a value as it is kept in a member of the name.
func (s *Scrubber) value(name string, v any) any {
	switch v := v.(type) {
	case object.Object:
		times := volatile(name, "") && numeric(v)
		for i, m := range v {
			value := s.value(m.Name, m.Value)
			if times {
				value = json.Number("0")
			}
			v[i] = object.Member{Name: s.Names.Hide(m.Name), Value: value}
		}
	case []any:
		if inventories[name] || slices.Contains(s.Lists, name) {
			v = s.trim(v)
		}
		for i := range v {
			v[i] = s.value(name, v[i])
		}
		return v
	case string:
		return s.text(name, v)
	case json.Number:
		if volatile(name, v.String()) {
			return json.Number("0")
		}
	}
	return v
}

// text is value for a text.
func (s *Scrubber) text(name, text string) string {
	limit := cmp.Or(s.MaxText, maxText)
	switch {
	case prose[name]:
		limit = maxProse
	case name == "request_id": // the SDK chose it
		limit = maxLine
	}
	if s.Names.length(text) > limit && !s.mentioned(text) {
		text = s.shorten(text)
	}
	switch {
	case name == "state" && len(text) == secretLength:
		text = "[secret]"
	case name == "slug": // of a session: random words
		text = "slug"
	case name == "osVersion": // of the machine
		text = "Linux 6.0.0"
	}
	return s.Names.Hide(text)
}

// shorten returns what is kept of a long text.
func (s *Scrubber) shorten(text string) string {
	var kept string
	for _, re := range s.Wanted {
		if found := re.FindString(text); found != "" && len(found) <= maxText {
			kept += found + " "
		}
	}
	return kept + "[prose]"
}

func (s *Scrubber) mentioned(text string) bool { return s.Mentions != nil && s.Mentions(text) }

// volatile reports whether a number differs from run to run: times, durations, costs, process ids.
func volatile(name, literal string) bool {
	lower := strings.ToLower(name)
	for _, part := range []string{"duration", "cost", "timestamp"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	for _, end := range []string{"_ms", "_at", "Ms", "At", "_seconds"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	whole, _, _ := strings.Cut(literal, ".")
	return name == "pid" || name == "callbackPort" || len(whole) >= 13 // milliseconds since 1970
}

// numeric reports whether an object has numbers alone.
func numeric(o object.Object) bool {
	return !slices.ContainsFunc(o, func(m object.Member) bool {
		_, ok := m.Value.(json.Number)
		return !ok
	})
}

// trim keeps the first element of each shape and what the scenario mentions.
func (s *Scrubber) trim(list []any) []any {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(e any) bool {
		shape := shapeOf(e)
		if !seen[shape] {
			seen[shape] = true
			return false
		}
		text, _ := e.(string)
		if o, ok := e.(object.Object); ok {
			text = o.Text("name")
		}
		return text == "" || !s.mentioned(text)
	})
}

// shapeOf describes the kinds in a value, without its contents.
func shapeOf(v any) string {
	switch v := v.(type) {
	case object.Object:
		s := "{"
		for _, m := range v {
			s += m.Name + ":" + shapeOf(m.Value) + ","
		}
		return s + "}"
	case []any:
		s := "["
		for _, item := range v {
			if one := shapeOf(item); !strings.Contains(s, one) {
				s += one + ","
			}
		}
		return s + "]"
	case string:
		return "s"
	case bool:
		return "b"
	case nil:
		return "0"
	}
	return "n"
}
