package extensions

import (
	"slices"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/template"
)

// Commands are the commands that the user can give, as the reply to initialize lists them: those of
// the project first, those of plugins after the skills that are built in, and more at the end.
func (e *Extensions) Commands(more ...any) []any {
	list := template.List(e.release, "commands")
	if !e.place.Desktop() && !e.release.Before("2.1.290") {
		list = slices.DeleteFunc(list, func(c any) bool { return !c.(object.Object).Has("builtin") })
	}
	if e.place.Embedded() {
		list = slices.DeleteFunc(list, func(c any) bool { return c.(object.Object).Text("name") == "code-review" })
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	var own, plugged []any
	for _, x := range slices.Concat(e.files.skills, e.files.commands) {
		o := object.Of("name", x.Name, "description", x.Description, "argumentHint", x.Hint)
		if x.Plugin == "" {
			own = append(own, o)
		} else {
			plugged = append(plugged, o)
		}
	}
	list = slices.Insert(list, min(1, len(list)), plugged...)
	return append(append(own, list...), more...)
}

// CommandNames are the commands that system/init lists, with more at the end.
func (e *Extensions) CommandNames(more ...any) []any {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := template.List(e.release, "init.slash_commands")
	var own, plugged []any
	for _, x := range slices.Concat(e.files.skills, e.files.commands) {
		if x.Plugin == "" {
			own = append(own, x.Name)
		} else {
			plugged = append(plugged, x.Name)
		}
	}
	list = slices.Insert(list, min(1, len(list)), plugged...)
	return append(append(own, list...), more...)
}

// SkillNames are the skills that system/init lists.
func (e *Extensions) SkillNames() []any {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []any
	for _, x := range e.files.skills {
		list = append(list, x.Name)
	}
	return append(list, template.List(e.release, "init.skills")...)
}

// AgentNames are the subagents that system/init lists.
func (e *Extensions) AgentNames() []any {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := template.List(e.release, "init.agents")
	for _, x := range e.files.agents {
		list = append(list, x.Name)
	}
	for _, m := range e.agents {
		list = append(list, m.Name)
	}
	return list
}

// AgentList are the subagents that the reply to initialize lists.
func (e *Extensions) AgentList() []any {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := template.List(e.release, "agents")
	guided := e.place.Desktop() || e.place.Embedded()
	switch {
	case e.release.Before("2.1.290"):
		list = slices.DeleteFunc(list, func(a any) bool { return !guided && a.(object.Object).Text("name") == "claude-code-guide" })
	case guided:
		list = slices.Insert(list, 1, any(object.Of("name", "claude-code-guide", "description", "Answers questions about the CLI and its SDKs.", "model", "haiku")))
	}
	for _, x := range e.files.agents {
		list = append(list, object.Of("name", x.Name, "description", x.Description, "model", object.If(x.Model != "", x.Model)))
	}
	for _, m := range e.agents {
		if o, ok := m.Value.(object.Object); ok {
			list = append(list, object.Of("name", m.Name, "description", o.Text("description"), "model", object.If(o.Has("model"), o.Get("model"))))
		}
	}
	return list
}

// PluginList are the plugins that system/init lists.
func (e *Extensions) PluginList() []any {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []any
	for _, p := range e.files.plugins {
		list = append(list, object.Of("name", p.Name, "path", p.Path, "source", p.Name+"@inline", "version", object.If(p.Version != "", p.Version)))
	}
	return append(list, template.List(e.release, "init.plugins")...)
}
