package permit

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/calls"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/permission"
)

// request is the request can_use_tool for a use.
func request(u *Use, d permission.Decision, hooked bool) object.Object {
	members := d.Members(hooked)
	interactive := members.Has("requires_user_interaction")
	o := object.Of("subtype", "can_use_tool", "tool_name", u.Name, "mcp_server", u.Server, "display_name", u.Title, "input", u.told())
	o = append(o, members.Without("requires_user_interaction")...)
	return append(o, object.Of("tool_use_id", u.ID, "agent_id", object.If(u.Agent != "", u.Agent),
		"requires_user_interaction", object.If(interactive, true))...)
}

// ask asks the SDK for a tool, and the hooks that may answer in its place; the first answer counts.
func (g *Gate) ask(ctx context.Context, u *Use, d permission.Decision) Permit {
	hooked := len(g.Hooks.Match("PermissionRequest", u.Name)) > 0
	if g.Out.Release().Before("2.1.90") && strings.HasPrefix(u.Name, "mcp__") {
		d.Suggestions = nil // these suggest nothing for tools of servers
	}
	asking, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if g.Asked != nil {
		g.Asked()
		defer g.Answered()
	}
	c, err := g.Calls.Send(asking, request(u, d, g.Hooks.Any("PermissionRequest")))
	if err != nil {
		return g.answered(u, nil, err)
	}
	type answer struct {
		body object.Object
		err  error
	}
	bySDK, byHook := make(chan answer, 1), make(chan object.Object, 1)
	if hooked {
		g.askHooks(ctx, u, d, byHook)
	}
	u.Asked()
	go func() { // ends with the response, or with the context
		body, err := g.Calls.Await(asking, c, true)
		bySDK <- answer{body, err}
	}()
	select {
	case a := <-bySDK:
		u.Answered()
		return g.answered(u, a.body, a.err)
	case a := <-byHook:
		u.Answered()
		p := g.answeredByHook(u, a)
		cancel(nil)
		<-bySDK // the request is cancelled now
		return p
	case <-u.Yields:
		cancel(nil)
		<-bySDK // the same
		u.Denied()
		return refuse("Tool permission request aborted", "permission-rule", reject("user_abort", ""))
	}
}

// askHooks calls the hooks that may answer in the SDK's place. It returns when they are on their
// way.
func (g *Gate) askHooks(ctx context.Context, u *Use, d permission.Decision, answer chan<- object.Object) {
	o := u.Occasion
	sent := make(chan struct{})
	o.Sent = func() { close(sent) }
	hooking := g.Life.UntilInterrupted(ctx)
	g.Life.Go(func() {
		if a := g.callHooks(hooking, u, d, o); a != nil {
			answer <- a
		}
	})
	<-sent
}

// hooksAnswer reports whether there are hooks that may answer although nobody is asked. Versions
// before 2.1.325 are not known to have them answer.
func (g *Gate) hooksAnswer(u *Use) bool {
	return len(g.Hooks.Match("PermissionRequest", u.Name)) > 0 && !g.Out.Release().Before("2.1.325")
}

// callHooks calls the hooks that may answer, and returns their answer; nil for none.
func (g *Gate) callHooks(ctx context.Context, u *Use, d permission.Decision, o hooks.Occasion) object.Object {
	return g.Hooks.Call(ctx, "PermissionRequest", o, "tool_name", u.Name, "tool_input", u.Input,
		"permission_suggestions", object.If(d.Suggestions != nil, d.Suggestions), "mcp_server", u.Server).Answer
}

// answered reads the SDK's answer.
func (g *Gate) answered(u *Use, body object.Object, err error) Permit {
	var refused *calls.Refusal
	failed := func(text string) Permit {
		u.Denied()
		return refuse(text, "permission-rule", reject("config", "other"))
	}
	switch {
	case errors.As(err, &refused):
		return failed("Tool permission request failed: Error: " + refused.Text)
	case errors.Is(err, calls.ErrClosedBefore), errors.Is(err, calls.ErrClosedDuring):
		kind := "AbortError: "
		if g.Out.Release().Before("2.1.250") {
			kind = "Error: "
		}
		return failed("Tool permission request failed: " + kind + err.Error())
	case err != nil:
		u.Denied()
		return interrupted()
	}
	a, ok := permission.ReadAnswer(body)
	switch {
	case !ok, a.Allow && g.Out.Release().Before("2.1.250") && !body.Has("updatedInput"):
		text := permission.InvalidAnswer
		if g.Out.Release().Before("2.1.325") {
			text, _, _ = strings.Cut(text, " updatedPermissions")
		}
		return failed(text)
	case !a.Allow && a.Interrupt:
		u.Denied()
		u.Interrupt()
		return interrupted()
	case !a.Allow:
		u.Denied()
		return refuse(a.Message, "permission-rule", reject("user_reject", ""))
	}
	g.apply(a.Updates)
	return Permit{Input: changed(a.Input, u.told()), Decision: accept(cmp.Or(a.Kind, "user_temporary"), "")}
}

// answeredByHook reads the decision of a PermissionRequest hook.
func (g *Gate) answeredByHook(u *Use, a object.Object) Permit {
	if a.Text("behavior") == "deny" {
		u.Denied()
		if a.Bool("interrupt") {
			u.Interrupt()
			return interrupted()
		}
		return refuse(hookMessage(a), "permission-rule", reject("hook", "hook"))
	}
	g.apply(a.List("updatedPermissions"))
	input := a.Object("updatedInput")
	if input != nil {
		input = u.Observed(input)
	}
	return Permit{Input: changed(input, u.Input), Decision: accept("hook", "hook")}
}

// hookMessage is why a PermissionRequest hook denies a tool.
func hookMessage(a object.Object) string {
	return cmp.Or(a.Text("message"), "Permission denied by PermissionRequest hook")
}

// changed returns an input that is another than the one that was asked for, nil otherwise.
func changed(input, asked object.Object) object.Object {
	if input == nil || reflect.DeepEqual(plainValue(input), plainValue(asked)) {
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
