package probe

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Names that no CLI knows.
const (
	madeUp      = "ccwire_made_up"
	otherMadeUp = "ccwire_of_no_meaning"
)

var (
	requestName = regexp.MustCompile(`^[a-z][a-z0-9_]+$`).MatchString
	modeName    = regexp.MustCompile(`^[a-z][a-zA-Z]{2,29}$`).MatchString
)

// errNoReplies says that a CLI does not answer the request that every other one answers.
var errNoReplies = errors.New("the CLI answers no control request")

// enders are requests that are sent last, because they end a session or begin it anew.
var enders = []string{"interrupt", "initialize", "claude_authenticate", "claude_oauth_wait_for_completion", "end_session"}

// requestLine is the request of a subtype without arguments.
func requestLine(name string) string { return request(name, map[string]any{"subtype": name}) }

// modeLine is the request to set a permission mode.
func modeLine(name string) string {
	return request(name, map[string]any{"subtype": "set_permission_mode", "mode": name})
}

// fenceLine is a request that every CLI answers.
func fenceLine(n int) (text, name string) {
	name = "fence " + strconv.Itoa(n)
	return request(name, map[string]any{"subtype": "interrupt"}), name
}

// replies returns the channel on which names are sent in a control request, having seen what comes
// back for names that are made up. Accepted says that such a name succeeds. The channel is nil if
// the replies to two of them are not alike.
func (p *prober) replies(ctx context.Context, kind Kind, line func(string) string) (c *channel, accepted bool, err error) {
	s, err := p.open(ctx, nil, nil)
	if err != nil {
		return nil, false, err
	}
	defer s.close()
	fence, last := fenceLine(0)
	s.write(ctx, line(madeUp)+line(otherMadeUp)+fence, fenceTime)
	s.wait(ctx, fenceTime, func() bool { _, ok := s.reply(last); return ok })
	s.wait(ctx, settle, func() bool { _, ok := s.reply(otherMadeUp); return ok })
	if ctx.Err() != nil {
		return nil, false, context.Cause(ctx)
	}
	if _, ok := s.reply(last); !ok {
		return nil, false, errNoReplies
	}
	one, answered := s.reply(madeUp)
	two, again := s.reply(otherMadeUp)
	template := strings.ReplaceAll(one, madeUp, "\x00")
	if answered != again || template != strings.ReplaceAll(two, otherMadeUp, "\x00") {
		return nil, false, nil
	}
	return &channel{
		kind: kind, line: line, fence: fenceLine, silent: !answered,
		heard: func(s *session, name string) (string, bool) { return s.reply(name) },
		refused: func(name, reply string) bool {
			return answered && reply == strings.ReplaceAll(template, "\x00", name)
		},
	}, strings.HasPrefix(one, "success"), nil
}

// requests finds the control requests that the CLI recognises.
func (p *prober) requests(ctx context.Context) (*Findings, error) {
	k := knownRequests(p.schemas, p.target.Version())
	names := endWith(p.candidates(Request, k, requestName, p.names.words, combined(k)), enders, p.only == nil)
	c, accepted, err := p.replies(ctx, Request, requestLine)
	switch {
	case errors.Is(err, errNoReplies):
		f := p.compare(k, nil, names)
		f.Limit = "This version answers no control request."
		return f, nil
	case err != nil:
		return nil, err
	case c == nil || accepted:
		return &Findings{Unclear: "requests that do not exist are not answered alike"}, nil
	}
	recognised, err := p.ask(ctx, c, names)
	if err != nil {
		return nil, err
	}
	f := p.compare(k, recognised, names)
	if c.silent {
		f.Limit = "This version does not answer a request that it does not know, so a request that it knows and leaves without an answer is taken for unknown."
	}
	return f, nil
}

// endWith returns the names with those of the end moved there, and added to it if all is set.
func endWith(names, end []string, all bool) []string {
	list := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(end, name) })
	for _, name := range end {
		if all || slices.Contains(names, name) {
			list = append(list, name)
		}
	}
	return list
}

// modes finds the permission modes that the CLI recognises.
func (p *prober) modes(ctx context.Context) (*Findings, error) {
	k := knownModes(p.schemas, p.target.Version())
	if p.only != nil {
		return p.modesOfFlag(ctx, k)
	}
	c, accepted, err := p.replies(ctx, PermissionMode, modeLine)
	switch {
	case err != nil:
		return nil, err
	case c == nil || c.silent:
		return &Findings{Unclear: "modes that do not exist are not answered alike"}, nil
	case accepted:
		return &Findings{Unclear: "set_permission_mode succeeds with any mode"}, nil
	}
	names := p.candidates(PermissionMode, k, modeName, p.names.words)
	recognised, err := p.ask(ctx, c, names)
	if err != nil {
		return nil, err
	}
	if len(recognised) == 0 {
		return &Findings{Unclear: "set_permission_mode refuses every mode"}, nil
	}
	return p.compare(k, recognised, names), nil
}
