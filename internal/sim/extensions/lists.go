package extensions

import (
	"slices"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/template"
)

// builtIn are the commands that are built in.
func (e *Extensions) builtIn() []any {
	skills := template.Texts(e.options.Release, "init.skills")
	return slices.DeleteFunc(template.List(e.options.Release, "commands"), func(v any) bool {
		c := v.(object.Object)
		return e.disabled(c.Text("name")) || !c.Has("builtin") && !e.place.Desktop() && !e.options.Release.Before("2.1.290") || e.place.Embedded() && slices.Contains(skills[min(1, len(skills)):], c.Text("name"))
	})
}

// disabled reports whether a variable takes away a command or skill that is built in.
func (e *Extensions) disabled(name string) bool {
	switch name {
	case "loop":
		return e.place.On("CLAUDE_CODE_DISABLE_CRON")
	case "deep-research", "workflow-authoring":
		return e.place.On("CLAUDE_CODE_DISABLE_WORKFLOWS")
	}
	return false
}

// Commands are the commands that the user can give, as the reply to initialize lists them: those of
// the user and the project first, those of plugins after the first that is built in, and more at
// the end.
func (e *Extensions) Commands(more ...any) []any {
	return e.commands(more, (*Extension).entry, func(list []any) []any { return list })
}

// entry is a command or skill as lists have it.
func (x *Extension) entry() any {
	name, aliases := x.Name, object.Absent
	if x.Title != "" {
		name, aliases = x.Title, []string{x.Name}
	}
	return object.Of("name", name, "description", x.Description, "argumentHint", x.Hint, "aliases", aliases)
}

// Reloaded are the commands and skills that the model can use, as the reply to reload_skills lists
// them.
func (e *Extensions) Reloaded() []any {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := []any{}
	for _, x := range slices.Concat(e.files.skills, e.files.commands) {
		list = append(list, x.entry())
	}
	return append(list, template.List(e.options.Release, "reloaded")...)
}

// CommandNames are the commands that system/init lists, with more at the end.
func (e *Extensions) CommandNames(more ...any) []any {
	return e.commands(more, func(x *Extension) any { return x.Name }, func(list []any) []any {
		if e.options.Release.Before("2.1.325") {
			there := names(list)
			return slices.DeleteFunc(template.List(e.options.Release, "init.slash_commands"), func(name any) bool { return !slices.Contains(there, name) })
		}
		return names(list)
	})
}

// commands lists the commands.
func (e *Extensions) commands(more []any, own func(*Extension) any, builtIn func([]any) []any) []any {
	if e.options.NoCommands {
		return []any{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	var before, plugged []any
	for _, x := range slices.Concat(e.files.skills, e.files.commands) {
		if x.Plugin == "" && !x.Hidden {
			before = append(before, own(x))
		}
	}
	for _, x := range slices.Concat(e.files.commands, e.files.skills) {
		if x.Plugin != "" && !x.Hidden {
			plugged = append(plugged, own(x))
		}
	}
	list := builtIn(slices.DeleteFunc(e.builtIn(), func(v any) bool { // one of the user's takes its place
		return slices.ContainsFunc(slices.Concat(e.files.skills, e.files.commands), func(x *Extension) bool {
			return x.Name == v.(object.Object).Text("name")
		})
	}))
	list = slices.Insert(list, min(1, len(list)), plugged...)
	return append(append(before, list...), more...)
}

// SkillNames are the skills that system/init lists.
func (e *Extensions) SkillNames() []any {
	if e.options.NoCommands {
		return []any{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	var own, plugged []any
	for _, x := range e.files.skills {
		switch {
		case x.Unexplained || x.Hidden:
		case x.Plugin == "":
			own = append(own, x.Name)
		default:
			plugged = append(plugged, x.Name)
		}
	}
	list := slices.DeleteFunc(template.List(e.options.Release, "init.skills"), func(name any) bool { return e.disabled(name.(string)) })
	if e.place.Embedded() {
		list = list[:min(1, len(list))]
	}
	return append(own, slices.Insert(list, min(1, len(list)), plugged...)...)
}

// StyleNames are the styles of the model's texts that the user can choose.
func (e *Extensions) StyleNames() []any {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := template.List(e.options.Release, "available_output_styles")
	for _, x := range e.files.styles {
		list = append(list, x.Name)
	}
	return list
}

// Style is what the model is told of a style that a file has; "" for nothing.
func (e *Extensions) Style(name string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range slices.Backward(e.files.styles) {
		if x.Name == name {
			return x.Text
		}
	}
	return ""
}

// PluginErrors are the plugins that cannot be loaded, nil for none.
func (e *Extensions) PluginErrors() (list []any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range e.files.missing {
		list = append(list, object.Of("plugin", x.Name, "type", "path-not-found", "message", "Path not found: "+x.Path, "path", x.Path))
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
	return append(list, slices.DeleteFunc(template.List(e.options.Release, "init.plugins"), func(v any) bool {
		switch v.(object.Object).Text("name") {
		case "cc-plugin-diff":
			return !e.place.Desktop()
		case "cc-plugin-plugin-authoring":
			return e.place.Embedded()
		}
		return false
	})...)
}
