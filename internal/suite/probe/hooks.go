package probe

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
)

var eventName = regexp.MustCompile(`^[A-Z][a-zA-Z]{2,39}$`).MatchString

// madeUpEvent is an event that no CLI knows, oldEvent one that all know that have hooks.
const (
	madeUpEvent = "CcwireMadeUp"
	oldEvent    = "PreToolUse"
)

// events finds the hook events that the CLI recognises: it leaves the others out of its settings.
func (p *prober) events(ctx context.Context) (*Findings, error) {
	k := knownEvents(p.schemas, p.target.Version())
	names := p.candidates(HookEvent, k, eventName, p.names.words)
	p.progress(HookEvent, 0, len(names))
	hooks := map[string]any{}
	for _, name := range slices.Concat(names, []string{madeUpEvent, oldEvent}) {
		hooks[name] = []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "true"}}}}
	}
	settings := line(map[string]any{"hooks": hooks})
	s, err := p.open(ctx, nil, map[string][]byte{".claude/settings.json": []byte(settings)})
	if err != nil {
		return nil, err
	}
	defer s.close()
	body := s.ask(ctx, "get_settings")
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var reply struct {
		Effective struct{ Hooks map[string]json.RawMessage }
	}
	if json.Unmarshal(body, &reply) != nil || len(reply.Effective.Hooks) == 0 {
		return &Findings{Unclear: "the request get_settings, which shows what the CLI takes of its settings, has no such answer"}, nil
	}
	taken := reply.Effective.Hooks
	if _, ok := taken[madeUpEvent]; ok {
		return &Findings{Unclear: "hooks of events that do not exist stay in the settings"}, nil
	}
	recognised := map[string]string{}
	for name := range taken {
		if name != oldEvent || slices.Contains(names, oldEvent) {
			recognised[name] = "stays in the settings"
		}
	}
	return p.compare(k, recognised, names), nil
}
