package permission

import (
	"slices"

	"github.com/ccwire/ccwire/internal/object"
)

// Answer is what the SDK says to a request for a tool.
type Answer struct {
	Allow     bool
	Input     object.Object // nil to leave it as it is
	Message   string
	Interrupt bool
	Kind      string // decisionClassification of an allow; "" if it is left out
	Updates   []any  // updatedPermissions
}

// maxUpdates is how many updates, rules and folders an answer can have.
const maxUpdates = 4096

// InvalidAnswer is what the model is told when [ReadAnswer] fails.
const InvalidAnswer = "The canUseTool callback returned an invalid permission result. " +
	"Expected {behavior: 'allow', updatedInput?: object} or {behavior: 'deny', message: string}. " +
	"updatedPermissions may hold at most 4096 updates, rules and directories in all."

// ReadAnswer reads the SDK's answer. It reports false if that is not one.
func ReadAnswer(v object.Object) (Answer, bool) {
	switch v.Get("behavior") {
	case "allow":
		a := Answer{Allow: true}
		if input, ok := v.Lookup("updatedInput"); ok {
			o, ok := input.(object.Object)
			if !ok {
				return Answer{}, false
			}
			if len(o) > 0 {
				a.Input = o
			}
		}
		a.Updates, a.Kind = v.List("updatedPermissions"), v.Text("decisionClassification")
		return a, count(a.Updates) <= maxUpdates
	case "deny":
		message, ok := v.Get("message").(string)
		interrupt, isBool := v.Get("interrupt").(bool)
		if !ok || v.Has("interrupt") && !isBool {
			return Answer{}, false
		}
		return Answer{Message: message, Interrupt: interrupt}, true
	}
	return Answer{}, false
}

func count(updates []any) int {
	n := len(updates)
	for _, u := range updates {
		o, _ := u.(object.Object)
		n += len(o.List("rules")) + len(o.List("directories"))
	}
	return n
}

// destinations are where an update can go.
var destinations = []string{"userSettings", "projectSettings", "localSettings", "session", "cliArg"}

// Modes are the modes that a session can have.
var Modes = []string{"default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto"}

// FlagModes are the modes that a flag can name beside "default", as the CLI lists them.
var FlagModes = []string{"acceptEdits", "auto", "bypassPermissions", "manual", "dontAsk", "plan"}

// Apply applies the updates of an answer: all of them, or none if one is not an update. It reports
// whether they are applied, and whether the mode has changed.
func (p *Policy) Apply(updates []any) (applied, mode bool) {
	for _, u := range updates {
		if o, ok := u.(object.Object); !ok || !valid(o) {
			return false, false
		}
	}
	before := p.Mode()
	for _, u := range updates {
		p.apply(u.(object.Object))
	}
	return true, p.Mode() != before
}

func valid(o object.Object) bool {
	if !slices.Contains(destinations, o.Text("destination")) {
		return false
	}
	switch o.Text("type") {
	case "setMode":
		return slices.Contains(Modes, o.Text("mode"))
	case "addDirectories", "removeDirectories":
		_, ok := texts(o.List("directories"))
		return ok && o.Has("directories")
	case "addRules", "replaceRules", "removeRules":
		switch Behavior(o.Text("behavior")) {
		case Allow, Deny, Ask:
		default:
			return false
		}
		for _, r := range o.List("rules") {
			rule, _ := r.(object.Object)
			_, content := rule.Get("ruleContent").(string)
			if rule.Text("toolName") == "" || rule.Has("ruleContent") && !content {
				return false
			}
		}
		return o.Has("rules")
	}
	return false
}

func texts(list []any) (all []string, ok bool) {
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			return nil, false
		}
		all = append(all, s)
	}
	return all, true
}

func (p *Policy) apply(o object.Object) {
	folders, _ := texts(o.List("directories"))
	switch o.Text("type") {
	case "setMode":
		if mode := o.Text("mode"); mode != "bypassPermissions" || p.Bypass {
			p.SetMode(mode)
		}
		return
	case "addDirectories":
		p.AddFolders(Source(o.Text("destination")), folders...)
		return
	case "removeDirectories":
		p.mu.Lock()
		p.folders = slices.DeleteFunc(p.folders, func(f place) bool { return slices.Contains(folders, f.path) })
		p.mu.Unlock()
		return
	}
	b, s := Behavior(o.Text("behavior")), Source(o.Text("destination"))
	p.mu.Lock()
	defer p.mu.Unlock()
	if o.Text("type") == "replaceRules" {
		p.entries = slices.DeleteFunc(p.entries, func(e entry) bool { return e.behavior == b && e.source == s })
	}
	for _, r := range o.List("rules") {
		rule := Rule{r.(object.Object).Text("toolName"), r.(object.Object).Text("ruleContent")}
		if o.Text("type") == "removeRules" {
			p.entries = slices.DeleteFunc(p.entries, func(e entry) bool { return e == entry{b, s, rule} })
			continue
		}
		p.addLocked(b, s, rule)
	}
}
