package permission

import (
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/shell"
)

// parts decides by the simple commands of a line.
func (p *Policy) parts(text string, line *shell.Line, now, mode string) Decision {
	if now == "" {
		now = p.Dir
	}
	if d, ok := p.guards(p.steps(line, now), mode); ok {
		return d
	}
	if len(line.Segments) > 0 {
		return p.segments(text, line, now, mode)
	}
	d := p.sequence(text, line.Parts, now, mode)
	if d.Behavior == Ask && d.rule && d.BlockedPath != "" {
		if len(line.Parts) == 1 && len(line.Sets) == 0 && !d.redirects {
			text = line.Parts[0].Text
		}
		d.Suggestions = append([]any{addRules(LocalSettings, suggested(text))}, d.Suggestions...)
	}
	return d
}

// maxRules is how many rules are suggested at once; for more, none is.
const maxRules = 5

// asking are the parts of a line that need approval.
type asking struct {
	count int
	open  int      // of those, as nothing allows them
	texts []string // each once
	rules []Rule
	last  Decision
	fixed bool // no rule can allow one of them
}

func (o *asking) add(text string, d Decision) {
	o.count++
	if d.open {
		o.open++
	}
	if !slices.Contains(o.texts, text) {
		o.texts = append(o.texts, text)
	}
	need := d.need
	if need.Tool == "" {
		need = suggested(text)
	}
	if !slices.Contains(o.rules, need) {
		o.rules = append(o.rules, need)
	}
	o.last, o.fixed = d, o.fixed || d.fixed || d.redirects
}

// ask asks for all of them.
func (o *asking) ask() Decision {
	d := Decision{Behavior: Ask, Reason: "subcommandResults", Message: "Some of the commands in this line need approval: " + strings.Join(o.texts, ", "),
		open: o.open == o.count}
	if !o.fixed && len(o.rules) <= maxRules {
		d.Suggestions = []any{addRules(LocalSettings, o.rules...)}
	}
	return d
}

// sequence decides by commands that run one after the other.
func (p *Policy) sequence(text string, parts []shell.Part, now, mode string) Decision {
	var o asking
	moved := false // to another folder
	unsafe := make([]bool, len(parts))
	for i := range parts {
		part := &parts[i]
		d := p.part(part, now, mode)
		unsafe[i] = d.Behavior == Ask && d.need.Tool == ""
		switch {
		case d.Behavior == Allow && part.Inner > 0 && (filters(part) || slices.Contains(unsafe[i-part.Inner:i], true)):
			d = approval()
			d.rule, d.open = true, true
		case moved && d.redirects:
			d = Decision{Behavior: Ask, Reason: "other", Text: changedFolder, Message: changedFolder, fixed: true}
		case moved && d.writes:
			asked := d.Behavior == Ask
			d = Decision{Behavior: Ask, Reason: "other", Text: changedFolder, Message: changedFolder, Suggestions: []any{}, fixed: true}
			if asked {
				d.Suggestions = []any{addRules(LocalSettings, suggested(text)), setMode("acceptEdits")}
			}
		}
		if d.Behavior == Ask {
			o.add(part.Text, d)
		} else if len(parts) == 1 {
			return d
		}
		if len(part.Words) > 1 && part.Words[0] == "cd" {
			now, moved = absolute(p.expand(part.Words[len(part.Words)-1]), now), true
		}
	}
	switch {
	case o.count == 0:
		return Decision{Behavior: Allow, Reason: "subcommandResults"}
	case o.count > 1:
		return o.ask()
	case len(parts) == 1 && o.last.rule && o.last.BlockedPath == "":
		o.last.Suggestions = append([]any{addRules(LocalSettings, suggested(parts[0].Text))}, o.last.Suggestions...)
		return o.last
	case len(parts) == 1 || o.last.BlockedPath != "" || o.last.fixed || o.last.unruled:
		return o.last
	}
	return o.ask()
}

// filters reports whether a command that only reads is not taken for one if it is given the output
// of another.
func filters(part *shell.Part) bool {
	return len(part.Words) > 0 && !slices.Contains([]string{"echo", "printf", "ls", "cat", "wc"}, part.Words[0])
}

// segments decides by what is between the pipes of a line.
func (p *Policy) segments(text string, line *shell.Line, now, mode string) Decision {
	var o asking
	var redirected *Decision
	var suggestions []any
	unruled := false
	for _, s := range line.Segments {
		parts := slices.Clone(line.Parts[s.Start:s.End])
		for i := range parts {
			if d := p.redirection(&parts[i], now, mode); d.redirects {
				redirected, parts[i].Files = &d, nil
			}
		}
		d := p.sequence(s.Text, parts, now, mode)
		if d.Behavior != Ask {
			continue
		}
		o.add(s.Text, d)
		unruled = unruled || d.Suggestions == nil
		suggestions = append(suggestions, d.Suggestions...)
	}
	switch {
	case o.count == 0 && redirected != nil:
		redirected.Suggestions = append([]any{addRules(LocalSettings, suggested(text))}, redirected.Suggestions...)
		return *redirected
	case o.count == 0:
		return Decision{Behavior: Allow, Reason: "subcommandResults"}
	}
	if unruled || redirected != nil {
		suggestions = slices.DeleteFunc(suggestions, lasting)
	}
	if len(suggestions) > 0 && !slices.ContainsFunc(suggestions, lasting) {
		suggestions = append([]any{addRules(LocalSettings, suggested(text))}, suggestions...)
	}
	d := o.ask()
	d.Suggestions, d.open = suggestions, false
	if len(suggestions) == 0 {
		d.Suggestions = nil
	}
	return d
}

// lasting reports whether a suggestion is of rules for settings.
func lasting(suggestion any) bool {
	o, ok := suggestion.(object.Object)
	return ok && o.Text("destination") == string(LocalSettings)
}

// exports decides on a line that uses what it has exported.
func (p *Policy) exports(line *shell.Line) Decision {
	var o asking
	for _, part := range line.Parts {
		o.add(part.Text, Decision{})
	}
	d := o.ask()
	d.Suggestions = []any{}
	return d
}
