package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/schema"
)

// lateSteps looks at what the scenario says of the whole session.
func (p *play) lateSteps() error {
	var errs []error
	for i := range p.late {
		if err := p.lateStep(&p.late[i]); err != nil {
			errs = append(errs, &stepError{&p.late[i], err})
		}
	}
	return errors.Join(errs...)
}

// checkLines checks what holds in every session: each line of the SDK is a JSON object that CLIs
// take, and a reply answers a request that was made and not answered before.
func (p *play) checkLines() (list []violation, notes []string) {
	books := map[int]*exchange.Book{}
	answered := map[string]bool{}
	for i := range p.board.lines {
		e := &p.board.lines[i]
		if books[e.pid] == nil {
			books[e.pid] = &exchange.Book{}
		}
		switch {
		case e.Truncated > 0 || e.Line == "" && e.Dir != journal.ToCLI:
		case e.Unterminated && !json.Valid([]byte(e.Line)): // the end of the session has cut it
		case e.Dir == journal.ToSDK:
			if l, ok := exchange.Read([]byte(e.Line)); ok && l.Kind == exchange.Request {
				books[e.pid].Ask(schema.FromCLI, &l)
				delete(answered, fmt.Sprint(e.pid, l.ID))
			}
		case e.Dir == journal.ToCLI && p.streams(e.pid):
			v, note := checkLine(e, books[e.pid], answered)
			if v.text != "" {
				v.line = cut([]byte(e.Line))
				list = append(list, v)
			}
			if note != "" {
				notes = append(notes, note)
			}
		}
	}
	return list, notes
}

// streams reports whether a CLI was started with lines of JSON as its input.
func (p *play) streams(pid int) bool {
	return slices.ContainsFunc(p.board.lines, func(e logged) bool {
		return e.pid == pid && e.Dir == journal.Header && strings.Contains(strings.Join(e.Args, " "), "--input-format")
	})
}

// lateStep is a step that holds or does not hold of the whole session.
func (p *play) lateStep(step *Step) error {
	switch op := step.op.(type) {
	case count:
		return p.count(op)
	case known:
		return p.known()
	}
	return nil
}

func (p *play) count(op count) error {
	n, last := 0, ""
	see := func(text []byte) {
		if p.matches(op.pattern, text) {
			n++
			last = cut(text)
		}
	}
	if op.api {
		for i := range p.board.reports {
			see(p.board.reports[i].text)
		}
	} else {
		for i := range p.board.lines {
			if e := &p.board.lines[i]; e.Dir == journal.ToCLI {
				see([]byte(e.Line))
			}
		}
	}
	who := "the SDK wrote"
	if op.api {
		who = "the driver reported"
	}
	switch {
	case n == op.n:
		return nil
	case op.n == 0:
		return fmt.Errorf("%s what must never come (%s): %s", who, op.pattern, last)
	}
	return fmt.Errorf("%s %d times what matches %s, want %d", who, n, op.pattern, op.n)
}

// known says what the SDK wrote under a name that the CLI does not read, although it reads one that
// differs in its spelling alone: what was meant is lost. Members that nobody reads harm nobody.
func (p *play) known() error {
	for i := range p.board.lines {
		e := &p.board.lines[i]
		if e.Dir != journal.ToCLI || e.Truncated > 0 || !p.streams(e.pid) {
			continue
		}
		found, err := schema.Default().Lint(schema.FromSDK.Definition(), []byte(e.Line))
		if err != nil {
			return err
		}
		for _, d := range found {
			name := d.Path[strings.LastIndexByte(d.Path, '/')+1:]
			if other := spelled(name); other != "" && d.Kind == codec.UnknownMember {
				return fmt.Errorf("the SDK wrote %s, which the CLI does not read; it reads %s: %s", d.Path, other, cut([]byte(e.Line)))
			}
		}
	}
	return nil
}

// spellings has the members that the schemas name, by their letters alone.
var spellings = sync.OnceValue(func() map[string][]string {
	names := map[string][]string{}
	for _, d := range schema.Default().Definitions() {
		for _, p := range d.Properties {
			if key := letters(p.Name); !slices.Contains(names[key], p.Name) {
				names[key] = append(names[key], p.Name)
			}
		}
	}
	return names
})

// letters returns a name without what spellings differ in.
func letters(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// spelled returns the member whose name is that name in another spelling, "" if there is none.
func spelled(name string) string {
	for _, other := range spellings()[letters(name)] {
		if other != name {
			return other
		}
	}
	return ""
}
