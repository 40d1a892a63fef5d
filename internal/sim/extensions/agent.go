package extensions

import (
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/template"
)

// SetAgents adds the subagents that the SDK has defined.
func (e *Extensions) SetAgents(agents object.Object) {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := slices.Clone(e.agents)
	for _, m := range agents {
		all.Set(m.Name, m.Value)
	}
	e.agents = all
}

// AgentType is what a type of subagents may do.
type AgentType struct {
	Tools      []string // that it has; nil for all
	Disallowed []string // that it does not have
	Mode       string   // of permissions; "" for the session's
	MaxTurns   int      // how often it asks the model; 0 for as often as it likes
	Background bool     // nobody waits for it
}

// Agent returns what a type of subagents may do.
func (e *Extensions) Agent(kind string) AgentType {
	e.mu.Lock()
	defer e.mu.Unlock()
	if o := e.agents.Object(kind); o != nil {
		n, _ := o.Number("maxTurns")
		tools := texts(o.List("tools"))
		if o.Has("tools") && tools == nil {
			tools = []string{} // none
		}
		return AgentType{
			Tools: tools, Disallowed: texts(o.List("disallowedTools")), Mode: o.Text("permissionMode"),
			MaxTurns: int(n), Background: o.Bool("background"),
		}
	}
	if x := e.files.agent(kind); x != nil {
		return x.Agent
	}
	switch kind {
	case "Explore", "Plan":
		return AgentType{Disallowed: []string{"Task", "Edit", "Write", "NotebookEdit"}}
	case "statusline-setup":
		return AgentType{Tools: []string{"Read", "Edit"}}
	}
	return AgentType{}
}

// Lacks reports whether a type of subagents does not have a tool that is built in.
func (t AgentType) Lacks(tool string) bool {
	if tool == "Agent" {
		tool = "Task"
	}
	is := func(rule string) bool {
		name, _, _ := strings.Cut(rule, "(")
		return name == tool || name == "*" || name == "Agent" && tool == "Task"
	}
	return slices.ContainsFunc(t.Disallowed, is) || t.Tools != nil && !slices.ContainsFunc(t.Tools, is)
}

// texts are the texts in a list, nil if it is none.
func texts(list []any) (out []string) {
	for _, v := range list {
		if text, ok := v.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

// AgentPrompt is what a subagent of a type is told; "" for nothing.
func (e *Extensions) AgentPrompt(kind string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p := e.agents.Object(kind).Text("prompt"); p != "" {
		return p
	}
	if x := e.files.agent(kind); x != nil {
		return x.Text
	}
	return ""
}

// AgentModel is the name of the model that was chosen for a subagent of a type.
func (e *Extensions) AgentModel(kind string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.agents.Has(kind) {
		return e.agents.Object(kind).Text("model")
	}
	if x := e.files.agent(kind); x != nil {
		return x.Model
	}
	return ""
}

// agent returns the subagent of a type, nil if there is none. The project's goes before the user's.
func (f *files) agent(kind string) *Extension {
	for _, x := range slices.Backward(f.agents) {
		if x.Name == kind {
			return x
		}
	}
	return nil
}

// AgentList are the subagents that the reply to initialize lists, by their names.
func (e *Extensions) AgentList() []any {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := map[string]object.Object{}
	for _, v := range template.List(e.options.Release, "agents") {
		if o := v.(object.Object); o.Text("name") != "claude-code-guide" || !e.place.ForSDK() {
			all[o.Text("name")] = o
		}
	}
	for _, x := range e.files.agents {
		all[x.Name] = object.Of("name", x.Name, "description", x.Description, "model", object.If(x.Model != "", x.Model))
	}
	for _, m := range e.agents {
		if o, ok := m.Value.(object.Object); ok {
			all[m.Name] = object.Of("name", m.Name, "description", o.Text("description"), "model", object.If(o.Has("model"), o.Get("model")))
		}
	}
	list := []any{}
	for _, o := range all {
		list = append(list, o)
	}
	if e.options.Release.Before("2.1.325") {
		return e.inOrder(list)
	}
	slices.SortFunc(list, func(a, b any) int {
		return strings.Compare(strings.ToLower(a.(object.Object).Text("name")), strings.ToLower(b.(object.Object).Text("name")))
	})
	return list
}

// BuiltIn reports whether a type of subagents is the CLI's own.
func (e *Extensions) BuiltIn(kind string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.agents.Has(kind) || e.files.agent(kind) != nil {
		return false
	}
	return slices.ContainsFunc(template.List(e.options.Release, "agents"), func(v any) bool { return v.(object.Object).Text("name") == kind })
}

// inOrder returns subagents as older versions list them: those that are built in before those of
// files and of the SDK.
func (e *Extensions) inOrder(list []any) []any {
	place := map[string]int{}
	note := func(name string) {
		if _, ok := place[name]; !ok {
			place[name] = len(place)
		}
	}
	for _, v := range template.List(e.options.Release, "agents") {
		note(v.(object.Object).Text("name"))
	}
	for _, x := range e.files.agents {
		note(x.Name)
	}
	for _, m := range e.agents {
		note(m.Name)
	}
	slices.SortFunc(list, func(a, b any) int {
		return place[a.(object.Object).Text("name")] - place[b.(object.Object).Text("name")]
	})
	return list
}

// AgentNames are the subagents that system/init lists.
func (e *Extensions) AgentNames() []any {
	if !e.options.Release.Before("2.1.325") {
		return names(e.AgentList())
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	list := template.List(e.options.Release, "init.agents")
	for _, x := range e.files.agents {
		list = append(list, x.Name)
	}
	for _, m := range e.agents {
		list = append(list, m.Name)
	}
	return list
}

// names are the names of the elements of a list.
func names(list []any) []any {
	out := []any{}
	for _, v := range list {
		out = append(out, v.(object.Object).Get("name"))
	}
	return out
}
