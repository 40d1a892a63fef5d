// Package sequence draws what both ends of a session write, as a recording has it.
//
// A selection says which lines of the recording of a scenario are drawn:
//
//	> user: a prompt
//	< system/init
//	...
//	< control_request/can_use_tool: may ${/request/tool_name} run?
//	> eof
//	< exit
//
// The first character is the direction: > is what the SDK writes, < what the CLI does. Then comes
// the kind of the line (see [inventory.Kind]), "eof", "signal" or "exit", and maybe a caption, in
// which ${POINTER} stands for a part of the recorded line. A kind with " +" after it stands for
// one such line or several. Every line of the recording must be there in its order, but for those
// that "..." stands for: at least one. So a selection that the recording no longer bears out is an
// error.
package sequence

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/ccwire/ccwire/internal/manual/shown"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/recording/inventory"
)

// A Diagram is a part of a recorded session.
type Diagram struct {
	Scenario string
	Version  string
	Steps    []Step
}

// A Step is an arrow of a diagram, or a gap.
type Step struct {
	Gap     bool // lines that are not drawn
	FromCLI bool
	Kind    string // such as "control_request/can_use_tool", "eof"
	Caption string
	Answers string // the subtype of the request that it answers, if it is a success
	Count   int    // how many lines it stands for
	Line    []byte // the first of them; nil if it is not one of the protocol
}

// Read draws a selection from the recording of a scenario by the newest recorded CLI.
func Read(scenario, selection string) (*Diagram, error) {
	version := corpus.Newest()
	entries, err := corpus.Read(version, scenario)
	if err != nil {
		return nil, err
	}
	steps, err := all(entries)
	if err != nil {
		return nil, err
	}
	d := &Diagram{Scenario: scenario, Version: version}
	if d.Steps, err = selected(steps, selection); err != nil {
		return nil, fmt.Errorf("scenario %s, as %s played it: %w", scenario, version, err)
	}
	return d, nil
}

// all returns everything that the ends of a session did.
func all(entries []recording.Entry) (steps []Step, err error) {
	lines, err := recording.Lines(entries)
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		for len(lines) > 0 && lines[0].Entry <= i {
			l := lines[0]
			lines = lines[1:]
			s := Step{FromCLI: l.Dir == recording.ToSDK, Kind: inventory.Kind(string(l.Text)), Answers: l.Answers, Count: 1, Line: l.Text}
			if l.Answers != "" {
				s.Caption = "answers " + l.Answers
			}
			steps = append(steps, s)
		}
		switch e.Dir {
		case recording.EOF:
			steps = append(steps, Step{Kind: "eof", Count: 1, Caption: "closes its end"})
		case recording.Signal:
			steps = append(steps, Step{Kind: "signal", Count: 1, Caption: "SIG" + e.Line})
		case recording.Exit:
			s := Step{FromCLI: true, Kind: "exit", Count: 1}
			if e.Code != nil {
				s.Caption = fmt.Sprintf("code %d", *e.Code)
			}
			steps = append(steps, s)
		}
	}
	return steps, nil
}

// selected compares steps with a selection.
func selected(steps []Step, selection string) (chosen []Step, err error) {
	gap := false
	for _, want := range strings.Split(strings.TrimSpace(selection), "\n") {
		if want = strings.TrimSpace(want); want == "..." {
			gap = true
			continue
		}
		p, err := parse(want)
		if err != nil {
			return nil, err
		}
		skipped := 0
		for gap && skipped < len(steps) && !p.fits(&steps[skipped]) {
			skipped++
		}
		if gap {
			if skipped == 0 {
				return nil, fmt.Errorf("%q: nothing is left out before it", want)
			}
			chosen = append(chosen, Step{Gap: true, Count: skipped})
			steps, gap = steps[skipped:], false
		}
		if len(steps) == 0 {
			return nil, fmt.Errorf("%q: there is no such line", want)
		}
		if !p.fits(&steps[0]) {
			return nil, fmt.Errorf("%q: the line there is %q", want, steps[0].name())
		}
		s := steps[0]
		for steps = steps[1:]; p.several && len(steps) > 0 && p.fits(&steps[0]); steps = steps[1:] {
			s.Count++
		}
		if p.caption != "" {
			if s.Caption, err = expand(p.caption, s.Line); err != nil {
				return nil, fmt.Errorf("%q: %w", want, err)
			}
		}
		chosen = append(chosen, s)
	}
	switch {
	case !gap && len(steps) > 0:
		return nil, fmt.Errorf("the session goes on with %q", steps[0].name())
	case gap && len(steps) == 0:
		return nil, fmt.Errorf("nothing is left out at the end")
	case gap:
		chosen = append(chosen, Step{Gap: true, Count: len(steps)})
	}
	return chosen, nil
}

func (s *Step) name() string {
	if s.FromCLI {
		return "< " + s.Kind
	}
	return "> " + s.Kind
}

// A pattern is a line of a selection.
type pattern struct {
	fromCLI bool
	kind    string
	several bool
	caption string
}

func (p *pattern) fits(s *Step) bool { return s.FromCLI == p.fromCLI && s.Kind == p.kind }

func parse(text string) (p pattern, err error) {
	rest, ok := strings.CutPrefix(text, "> ")
	if !ok {
		if rest, p.fromCLI = strings.CutPrefix(text, "< "); !p.fromCLI {
			return p, fmt.Errorf(`%q: a line begins with "> " or "< "`, text)
		}
	}
	kind, caption, _ := strings.Cut(rest, ":")
	p.kind, p.several = strings.CutSuffix(kind, " +")
	p.caption = strings.TrimSpace(caption)
	return p, nil
}

var pointer = regexp.MustCompile(`\$\{(/[^}]*)\}`)

// expand puts parts of a line into a caption.
func expand(caption string, line []byte) (string, error) {
	var missing error
	out := pointer.ReplaceAllStringFunc(caption, func(ref string) string {
		value := shown.At(line, ref[2:len(ref)-1])
		var s string
		switch {
		case value == nil:
			missing = fmt.Errorf("the line has nothing at %s", ref[2:len(ref)-1])
		case json.Unmarshal(value, &s) == nil:
			return s
		}
		return string(value)
	})
	return out, missing
}
