package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"time"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/suite/scenario"
)

// expect takes lines until each pattern has matched one.
//
// The order of several is free, so it is made the same for every recording: first what no pattern
// matched, then the matches in the order of the script, each with the answers that it got.
//
// A line that mirrors the transcript is for every pattern that it matches: how many entries are in
// one line is chance.
func (p *player) expect(ctx context.Context, patterns []*scenario.Pattern) error {
	before := p.played.Entries
	matched := make([][]recording.Entry, len(patterns))
	var skipped []recording.Entry
	near := nearest{patterns: patterns}
	defer func() { p.not = nil }()

	keep := func() {
		p.log(skipped...)
		for _, unit := range matched {
			p.log(unit...)
		}
	}
	open := len(patterns)
	for open > 0 {
		line, err := p.take(ctx)
		if err != nil {
			keep()
			return near.explain(p.gone(ctx, err), matched)
		}
		p.played.Entries = nil
		waiting := func(i int) *scenario.Pattern {
			if matched[i] != nil {
				return nil
			}
			return patterns[i]
		}
		var also []int // patterns that the line matches beside the first
		i, err := p.look(line, func(line []byte) int {
			first := -1
			for i := range patterns {
				pattern := waiting(i)
				if pattern == nil {
					continue
				}
				switch m := pattern.Match(line, p.vars); {
				case m != nil:
					near.note(i, line, m)
				case first >= 0:
					also = append(also, i)
				case recording.ReadMirror(line) == nil:
					return i
				default:
					first = i
				}
			}
			return first
		})
		unit := p.played.Entries
		p.played.Entries = before
		if err != nil {
			keep()
			p.log(unit...)
			if errors.Is(err, errUnexpected) {
				err = near.explain(err, matched)
			}
			return err
		}
		if i >= 0 {
			matched[i] = unit
			for _, k := range also {
				matched[k] = []recording.Entry{}
			}
			open -= 1 + len(also)
			continue
		}
		if k := p.answered(line, waiting, len(patterns)); k >= 0 {
			p.fail(near.explainOne(k, errReplied))
			matched[k] = unit
			open--
			continue
		}
		skipped = append(skipped, unit...)
	}
	keep()
	return nil
}

// errReplied says that a step waits for a reply which has come otherwise.
var errReplied = errors.New("the reply has come")

// answered returns the pattern that waits for the reply which the line is, -1 if none does.
func (p *player) answered(line []byte, waiting func(int) *scenario.Pattern, n int) int {
	id, ok := p.replies.done(line)
	for i := range n {
		if pattern := waiting(i); ok && pattern != nil && pattern.ReplyTo() == id {
			return i
		}
	}
	return -1
}

// errUnexpected says that the CLI asks something for which the scenario has no answer.
var errUnexpected = errors.New("the CLI asks what the scenario does not expect")

// gone says why no line comes any more.
func (p *player) gone(ctx context.Context, err error) error {
	if err != io.EOF {
		return err
	}
	if ctx.Err() != nil { // the end of the time may have ended the CLI
		return context.Cause(ctx)
	}
	select {
	case <-p.peer.Done():
	case <-ctx.Done():
		return errors.New("the CLI closed its output")
	}
	exit := p.peer.Exit()
	return fmt.Errorf("the CLI ended with code %d%s%s", exit.Code, space(exit.Signal), tail(exit.Stderr))
}

// idleLimit is how long a CLI may be silent when nothing is left for it to do.
const idleLimit = 8 * time.Second

// errIdle says that what a step waits for will not come.
var errIdle = fmt.Errorf("the turn is over, and the CLI has written nothing for %v", idleLimit)

// take returns the next line. When the turn has its result and the SDK has written nothing since,
// it does not wait for the scenario's time to end, unless the scenario has a time of its own: then
// something is to come that takes long.
func (p *player) take(ctx context.Context) ([]byte, error) {
	if !p.idle || p.scenario.Timeout > 0 {
		return p.lines.Take(ctx)
	}
	quiet, cancel := context.WithTimeoutCause(ctx, idleLimit, errIdle)
	defer cancel()
	return p.lines.Take(quiet)
}

// look judges one line of the CLI, answers it where a rule does, and returns which pattern it is
// for by find, -1 for none.
func (p *player) look(line []byte, find func([]byte) int) (int, error) {
	p.log(recording.Written(recording.ToSDK, append(line[:len(line):len(line)], '\n')))
	var head frameHead
	if err := json.Unmarshal(line, &head); err != nil {
		return -1, fmt.Errorf("the CLI wrote a line that is not a JSON object: %s", cut(line))
	}
	found, err := checkLine(line, p.release)
	p.misfit(line, err)
	if err := p.replies.received(&head); err != nil {
		return -1, fmt.Errorf("%w: %s", err, cut(line))
	}
	if head.Type == "result" {
		p.idle = true
	}
	p.find(strings.Trim(head.Type+"/"+head.Subtype, "/"), found)
	if subject, body := p.replies.answer(line); subject != nil && body != nil {
		found, err := checkBody(subject, body, p.release)
		p.misfit(line, err)
		p.find("reply to "+subject.Subtype, found)
	}
	for _, pattern := range p.never {
		if pattern.Match(line, maps.Clone(p.vars)) == nil {
			return -1, fmt.Errorf("the CLI wrote a line that must never come (%s): %s", pattern, cut(line))
		}
	}
	i := -1
	if find != nil {
		i = find(line)
	}
	if i < 0 {
		for _, pattern := range p.not {
			if pattern.Match(line, maps.Clone(p.vars)) == nil {
				return -1, fmt.Errorf("the CLI wrote a line that must not come yet (%s): %s", pattern, cut(line))
			}
		}
	}
	if head.Type != "control_request" {
		return i, nil
	}
	answer, err := autoAnswer(p.rules, &head, p.vars)
	switch {
	case err != nil:
		return -1, err
	case answer != nil:
		return i, p.write(append(answer, '\n'))
	case i < 0:
		return -1, fmt.Errorf("%w: %s", errUnexpected, cut(line))
	}
	return i, nil
}

// misfit notes that a line does not fit the schemas, if there is an error.
func (p *player) misfit(line []byte, err error) {
	if err != nil {
		p.fail(fmt.Errorf("%w: %s", err, cut(line)))
	}
}

// fail keeps the first error after which the play goes on, as an SDK would. It fails in the end.
func (p *player) fail(err error) {
	if p.wrong == nil {
		p.wrong = &StepError{p.at.Line, p.at.Source, err}
	}
}

func (p *player) find(frame string, found []codec.Deviation) {
	for _, d := range found {
		p.played.Findings = append(p.played.Findings, Finding{frame, d})
	}
}

// nearest remembers the line that came closest to each pattern, for the message.
type nearest struct {
	patterns []*scenario.Pattern
	best     map[int]*scenario.Mismatch
	line     map[int][]byte
}

func (n *nearest) note(i int, line []byte, m *scenario.Mismatch) {
	if n.best == nil {
		n.best, n.line = map[int]*scenario.Mismatch{}, map[int][]byte{}
	}
	if old := n.best[i]; old == nil || depth(m) >= depth(old) {
		n.best[i], n.line[i] = m, line
	}
}

// depth says how much of a line fitted: a line of another type did not fit at all.
func depth(m *scenario.Mismatch) int {
	switch m.Path {
	case "/type", "":
		return 0
	case "/subtype", "/request/subtype", "/response/request_id":
		return 1
	}
	return 2
}

func (n *nearest) explain(err error, matched [][]recording.Entry) error {
	for i := range n.patterns {
		if matched[i] == nil {
			return n.explainOne(i, err)
		}
	}
	return err
}

func (n *nearest) explainOne(i int, err error) error {
	if m := n.best[i]; m != nil && depth(m) > 0 {
		return fmt.Errorf("no line matches %s: %w; the nearest differs: %w: %s", n.patterns[i], err, m, cut(n.line[i]))
	}
	return fmt.Errorf("no line matches %s: %w", n.patterns[i], err)
}
