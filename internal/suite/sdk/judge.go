package sdk

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/exchange"
	"github.com/ccwire/ccwire/internal/sim/journal"
	"github.com/ccwire/ccwire/schema"
)

// judge looks at the whole session: at every line of the SDK, and, if the steps held, at what the
// scenario says of the whole.
func (p *play) judge(held bool) error {
	p.board.mu.Lock()
	defer p.board.mu.Unlock()
	errs := p.checkLines()
	if !held {
		return errors.Join(errs...)
	}
	for i := range p.late {
		if err := p.lateStep(&p.late[i]); err != nil {
			errs = append(errs, &stepError{&p.late[i], err})
		}
	}
	return errors.Join(errs...)
}

// maxProblems bounds what is said of one session.
const maxProblems = 3

// checkLines checks what holds in every session: each line of the SDK is a JSON object that fits
// the schemas, and a reply answers a request that was made and not answered before.
func (p *play) checkLines() (errs []error) {
	books := map[int]*exchange.Book{}
	answered := map[string]bool{}
	for i := range p.board.lines {
		e := &p.board.lines[i]
		if books[e.pid] == nil {
			books[e.pid] = &exchange.Book{}
		}
		var err error
		switch {
		case e.Truncated > 0 || e.Line == "" && e.Dir != journal.ToCLI:
		case e.Dir == journal.ToSDK:
			if l, ok := exchange.Read([]byte(e.Line)); ok && l.Kind == exchange.Request {
				books[e.pid].Ask(schema.FromCLI, &l)
				delete(answered, fmt.Sprint(e.pid, l.ID))
			}
		case e.Dir == journal.ToCLI && p.streams(e.pid):
			err, _ = checkLine(e, books[e.pid], answered)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%w: %s", err, cut([]byte(e.Line))))
		}
		if len(errs) == maxProblems {
			return errs
		}
	}
	return errs
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

// known says what the schemas do not name in what the SDK wrote.
func (p *play) known() error {
	for i := range p.board.lines {
		e := &p.board.lines[i]
		if e.Dir != journal.ToCLI || e.Truncated > 0 {
			continue
		}
		found, err := schema.Default().Lint(schema.FromSDK.Definition(), []byte(e.Line))
		if err != nil {
			return err
		}
		if len(found) > 0 {
			return fmt.Errorf("the SDK wrote what the protocol does not have: %s: %s", found[0], cut([]byte(e.Line)))
		}
	}
	return nil
}
