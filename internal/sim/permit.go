package sim

import (
	"context"
	"errors"
	"reflect"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/host"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/settings"
	"github.com/ccwire/ccwire/internal/sim/tools"
)

// permissionState is what may be done in a session.
type permissionState struct {
	policy permission.Policy
}

// openPermissions reads the rules of flags and settings.
func (s *Session) openPermissions() error {
	p := &s.permissions.policy
	p.Dir, p.Home = s.place.Dir(), s.place.Get("HOME")
	p.Bypass = s.flags.Has("allow-dangerously-skip-permissions") || s.flags.Has("dangerously-skip-permissions")
	p.Add(permission.Allow, permission.CLIArg, s.flags.Rules("allowedTools")...)
	p.Add(permission.Deny, permission.CLIArg, s.flags.Rules("disallowedTools")...)
	p.AddFolders(s.flags.Values("add-dir")...)
	s.settingsChanged()
	return nil
}

// settingsChanged reads the rules and the hooks of the settings again.
func (s *Session) settingsChanged() {
	p := &s.permissions.policy
	var commands []hookList
	for _, source := range []settings.Source{settings.User, settings.Project, settings.Local, settings.Flag} {
		o := s.settings.Get(source)
		rules := o.Object("permissions")
		p.Replace(permission.Deny, permission.Source(source), host.Texts(rules.List("deny"))...)
		p.Replace(permission.Ask, permission.Source(source), host.Texts(rules.List("ask"))...)
		p.Replace(permission.Allow, permission.Source(source), host.Texts(rules.List("allow"))...)
		p.AddFolders(host.Texts(rules.List("additionalDirectories"))...)
		commands = append(commands, hookList{hooks: o.Object("hooks")})
	}
	s.setCommands(append(commands, s.pluginHooks()...))
}

// decide decides on a use of a tool.
func (s *Session) decide(u *toolUse, observed object.Object) permission.Decision {
	s.permissions.policy.SetMode(s.permissionMode())
	request := permission.Request{Tool: u.name, Input: observed, Free: free(u.name)}
	if s.tools != nil {
		request.Now = s.tools.Now()
	}
	return s.permissions.policy.Decide(request)
}

// readable reports whether a file may be read without asking.
func (s *Session) readable(path string) bool {
	s.permissions.policy.SetMode(s.permissionMode())
	d := s.permissions.policy.Decide(permission.Request{Tool: "Read", Input: object.Of("file_path", path)})
	return d.Behavior == permission.Allow
}

// asked are the built-in tools that the user is asked for.
var asked = map[string]bool{"WebFetch": true, "WebSearch": true, "Monitor": true}

// free reports whether a tool never asks.
func free(name string) bool { return !isMCP(name) && !asked[name] }

// permit is what was decided of a tool use in the end.
type permit struct {
	input object.Object // nil to leave it
	meta  object.Object // the member permission_decision
	no    *toolResult   // why it is not used
}

func accept(source, reason string) object.Object {
	return object.Of("decision", "accept", "source", source, "reason_type", object.If(reason != "", reason))
}

func reject(source, reason string) object.Object {
	return object.Of("decision", "reject", "source", source, "reason_type", object.If(reason != "", reason))
}

// refuse is the permit for a tool that is not used.
func refuse(u *toolUse, text, kind string, decision object.Object) permit {
	r := badResult(u, text, "Error: "+text)
	r.meta = object.Of("non_execution_kind", object.If(kind != "", kind), "permission_decision", decision)
	return permit{no: &r}
}

// permit decides on a tool use, and asks the SDK if it must.
func (s *Session) permit(ctx context.Context, u *toolUse, observed object.Object, d permission.Decision) permit {
	switch d.Behavior {
	case permission.Allow:
		source := "config"
		if d.Source == permission.SessionRules {
			source = "user_temporary"
		}
		return permit{meta: accept(source, d.Reason)}
	case permission.Deny:
		return s.denied(ctx, u, observed, d)
	}
	if s.flags.Value("permission-prompt-tool") != "stdio" {
		s.tellDenied(u, d)
		u.deny(observed)
		return refuse(u, d.Message, "user-rejected", reject("config", ""))
	}
	return s.askSDK(ctx, u, observed, d)
}

// denied is the permit for a tool that a rule or the mode denies.
func (s *Session) denied(ctx context.Context, u *toolUse, observed object.Object, d permission.Decision) permit {
	if d.Refused {
		r := badResult(u, "<tool_use_error>"+d.Message+"</tool_use_error>", "Error: "+d.Message)
		r.meta = object.Of("permission_decision", reject("config", d.Reason))
		return permit{no: &r}
	}
	kind := "permission-rule"
	if d.Unchecked {
		kind = "automode-unavailable"
		s.warnUnchecked()
	}
	if !d.Silent {
		s.tellDenied(u, d)
	}
	u.deny(observed)
	if d.Unchecked {
		s.callHooks(ctx, "PermissionDenied", u.occasion(), "tool_name", u.name, "tool_input", observed, "tool_use_id", u.id, "reason", d.Text)
	}
	return refuse(u, d.Message, kind, reject("config", d.Reason))
}

func (s *Session) tellDenied(u *toolUse, d permission.Decision) {
	agent := object.Absent
	if u.agent.id != "" {
		agent = u.agent.id
	}
	s.out.Tell("type", "system", "subtype", "permission_denied", "tool_name", u.name, "tool_use_id", u.id, "agent_id", agent,
		"decision_reason_type", object.If(d.Reason != "", d.Reason), "decision_reason_code", object.If(d.Code != "", d.Code),
		"decision_reason", object.If(d.Text != "", d.Text), "message", d.Message)
}

// warnUnchecked says, once, that the mode auto cannot check what tools do.
func (s *Session) warnUnchecked() {
	s.mu.Lock()
	warned := s.warned
	s.warned = true
	s.mu.Unlock()
	if warned {
		return
	}
	s.out.Line(object.Of("type", "system", "subtype", "informational", "content", "The session is in the mode auto, in which a check by the server "+
		"decides on tools that can do harm. That check does not run in this session: the address of the API is not the one that has it. "+
		"So tools that would need it are not used. Tools that read, and tools that change files in the working directory, are used as before. "+
		"Choose another permission mode to be asked for the others.",
		"isMeta", false, "timestamp", ids.Now(), "uuid", ids.UUID(), "level", "warning", "tag", "auto_mode_no_server_check", "session_id", s.out.ID()))
}

// askSDK asks the SDK for a tool, and the hooks that may answer in its place; the first answer
// counts.
func (s *Session) askSDK(ctx context.Context, u *toolUse, observed object.Object, d permission.Decision) permit {
	hooked := len(s.hooks.match("PermissionRequest", u.name)) > 0
	members := d.Members(hooked)
	interactive := members.Has("requires_user_interaction")
	request := object.Of("subtype", "can_use_tool", "tool_name", u.name, "mcp_server", s.toolServer(u.name), "display_name", s.toolTitle(u.name), "input", observed)
	request = append(request, members.Without("requires_user_interaction")...)
	request = append(request, object.Of("tool_use_id", u.id, "agent_id", object.If(u.agent.id != "", u.agent.id),
		"requires_user_interaction", object.If(interactive, true))...)
	asking, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c, err := s.calls.Send(asking, request)
	if err != nil {
		return s.answeredWith(u, observed, nil, err)
	}
	type answer struct {
		body object.Object
		err  error
	}
	bySDK, byHook := make(chan answer, 1), make(chan object.Object, 1)
	if hooked {
		o := u.occasion()
		sent := make(chan struct{})
		o.sent = func() { close(sent) }
		hooking := s.untilInterrupted(ctx)
		s.life.Go(func() {
			v := s.callHooks(hooking, "PermissionRequest", o, "tool_name", u.name, "tool_input", observed,
				"permission_suggestions", object.If(d.Suggestions != nil, d.Suggestions), "mcp_server", s.toolServer(u.name))
			if v.Answer != nil {
				byHook <- v.Answer
			}
		})
		<-sent
	}
	go func() { // ends with the response, or with the context
		body, err := s.calls.Await(asking, c, true)
		bySDK <- answer{body, err}
	}()
	select {
	case a := <-bySDK:
		return s.answeredWith(u, observed, a.body, a.err)
	case a := <-byHook:
		p := s.answeredByHook(u, observed, a)
		cancel(nil)
		<-bySDK // the request is cancelled now
		return p
	}
}

// untilInterrupted returns a context that outlives a turn, unless the turn is interrupted.
func (s *Session) untilInterrupted(turn context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(s.life.Context())
	context.AfterFunc(turn, func() {
		if cause := context.Cause(turn); cause == errInterrupt || cause == errSigint {
			cancel(cause)
		}
	})
	return ctx
}

// answeredWith reads the SDK's answer.
func (s *Session) answeredWith(u *toolUse, observed, body object.Object, err error) permit {
	var refused *calls.Refusal
	failed := func(text string) permit {
		u.deny(observed)
		return refuse(u, text, "permission-rule", reject("config", "other"))
	}
	switch {
	case errors.As(err, &refused):
		return failed("Tool permission request failed: Error: " + refused.Text)
	case errors.Is(err, calls.ErrClosedBefore), errors.Is(err, calls.ErrClosedDuring):
		return failed("Tool permission request failed: AbortError: " + err.Error())
	case err != nil:
		u.deny(observed)
		r := unasked(u)
		return permit{no: &r}
	}
	a, ok := permission.ReadAnswer(body)
	switch {
	case !ok:
		return failed(permission.InvalidAnswer)
	case !a.Allow && a.Interrupt:
		u.deny(observed)
		u.turn.cancel(errInterrupt)
		r := unasked(u)
		return permit{no: &r}
	case !a.Allow:
		u.deny(observed)
		return refuse(u, a.Message, "permission-rule", reject("user_reject", ""))
	}
	s.applyUpdates(a.Updates)
	return permit{input: changed(a.Input, observed), meta: accept("user_temporary", "")}
}

// answeredByHook reads the decision of a PermissionRequest hook.
func (s *Session) answeredByHook(u *toolUse, observed, a object.Object) permit {
	if a.Text("behavior") == "deny" {
		u.deny(observed)
		if a.Bool("interrupt") {
			u.turn.cancel(errInterrupt)
			r := unasked(u)
			return permit{no: &r}
		}
		message := a.Text("message")
		if message == "" {
			message = "Permission denied by PermissionRequest hook"
		}
		return refuse(u, message, "permission-rule", reject("hook", "hook"))
	}
	s.applyUpdates(a.List("updatedPermissions"))
	input := a.Object("updatedInput")
	if input != nil {
		input = tools.Observed(u.name, input, s.place.Cwd())
	}
	return permit{input: changed(input, observed), meta: accept("hook", "hook")}
}

// changed returns an input that is another than the one that was asked for, nil otherwise.
func changed(input, observed object.Object) object.Object {
	if input == nil || reflect.DeepEqual(plainValue(input), plainValue(observed)) {
		return nil
	}
	return input
}

// plainValue returns a value without the order of members.
func plainValue(v any) any {
	switch v := v.(type) {
	case object.Object:
		m := make(map[string]any, len(v))
		for i := range v {
			m[v[i].Name] = plainValue(v[i].Value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plainValue(v[i])
		}
		return list
	case int:
		return float64(v)
	}
	return v
}

// applyUpdates changes what may be done as the user wants it.
func (s *Session) applyUpdates(updates []any) {
	if len(updates) == 0 || !s.permissions.policy.Apply(updates) {
		return
	}
	mode := s.permissions.policy.Mode()
	s.mu.Lock()
	s.mode = mode
	s.mu.Unlock()
	s.out.Tell("type", "system", "subtype", "status", "status", nil, "permissionMode", mode)
}
