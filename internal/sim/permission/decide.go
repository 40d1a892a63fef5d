package permission

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// Request is a use of a tool.
type Request struct {
	Tool  string
	Input object.Object // with absolute paths
	// Free says that the tool never asks.
	Free bool
	// Now is where a command runs; "" means the working directory.
	Now string
	// Fresh says that no command has run yet: which variables there are is not known.
	Fresh bool
	// Mode is that of the subagent which uses the tool, where the session has the default; "" for
	// none.
	Mode string
	// Changes says that a tool of a server may change something.
	Changes bool
	// Brings says that a skill brings rules for tools with it, About is what it is for.
	Brings bool
	About  string
}

// Decision is what is decided of a use of a tool.
type Decision struct {
	Behavior Behavior
	Reason   string // decision_reason_type; "" for none
	Text     string // decision_reason
	Blank    bool   // decision_reason is there, though it is ""
	Code     string // decision_reason_code
	Source   Source // of the rule that decides
	// Message tells why the tool is not used, when it is denied or nobody can be asked.
	Message string
	// Refused says that the tool is refused as one with a wrong input.
	Refused bool
	// Unchecked says that the mode needs a check which does not run.
	Unchecked bool

	// The members of the request to the SDK.
	Description string
	Suggestions []any // nil for none
	BlockedPath string
	Interactive bool // requires_user_interaction
	Approvable  bool // classifier_approvable
	Policy      bool // has server_policy_ask_only
	ByRule      bool // a rule asks
	Matched     Rule // the rule that asks for what is asked for in any case, with Source
	MayByRule   bool // a rule asks for uses that are like it
	Silent      bool // a denial is not told on a line of its own
	HookEvent   string
	HookSource  string
	// Unapprovable says that no check and no rule can allow it.
	Unapprovable bool

	// open says that it is asked for only as nothing allows it.
	open bool
	// Of a command: a rule can allow it, it changes files, a redirection does, no rule can allow it
	// together with others, no rule is suggested for it.
	rule, writes, redirects, fixed, unruled bool
	// Need is the rule that would allow it, if it is not one for the command.
	need Rule
}

func edits(tool string) bool {
	return tool == "Write" || tool == "Edit" || tool == "MultiEdit" || tool == "NotebookEdit"
}

func reads(tool string) bool { return tool == "Read" || tool == "Glob" || tool == "Grep" }

// Decide decides on a use of a tool.
func (p *Policy) Decide(r Request) Decision {
	mode := p.Mode()
	if mode == "default" && r.Mode != "" {
		mode = r.Mode
	}
	d := p.decide(&r, mode)
	if e, ok := p.find(Ask, func(rule Rule) bool { return rule.Content == "" && rule.names(r.Tool) }); ok {
		d = d.asked(e)
	}
	d.Description = p.describe(&r)
	if d.Behavior != Ask {
		return d
	}
	if d.Message == "" {
		d.Message = fmt.Sprintf("Claude requested permissions to use %s, but you haven't granted it yet.", r.Tool)
	}
	_, d.MayByRule = p.find(Ask, func(rule Rule) bool { return rule.mayAsk(r.Tool) })
	switch {
	case mode == "dontAsk":
		return Decision{Behavior: Deny, Reason: "mode", Message: dontAsk(r.Tool), Description: d.Description}
	case (mode == "auto" || mode == "plan" && d.Reason != "mode") && !d.Interactive && !d.ByRule:
		return Decision{Behavior: Deny, Reason: "classifier", Code: "auto_mode_no_check_in_session", Text: "Classifier unavailable",
			Message: unchecked(r.Tool), Unchecked: true, Description: d.Description}
	}
	return d
}

// asked returns the decision where a rule asks for every use of the tool: why it is asked for in
// any case comes before the rule.
func (d Decision) asked(e entry) Decision {
	switch {
	case d.Behavior == Deny || d.ByRule:
		return d
	case d.Behavior == Allow || d.open:
		return Decision{Behavior: Ask, Reason: "rule", Source: e.source, Policy: true, ByRule: true, Message: d.Message}
	}
	d.Source, d.Matched, d.ByRule, d.Suggestions = e.source, e.rule, true, nil
	return d
}

func unchecked(tool string) string {
	return "Auto mode is unavailable: its safety check does not run for this session, so " + tool + " was not run. " +
		"Other actions that need the check will be denied too, and retrying won't help. " +
		"Finish what you can without them, then tell the user what is blocked and that they can switch to another permission mode."
}

// dontAsk is as long as the CLI's own text, which recordings do not have.
func dontAsk(tool string) string {
	return fmt.Sprintf("Permission to use %[1]s has been denied because Claude Code is running in don't ask mode: nobody is asked in it, and what no rule "+
		"allows is not done. The simulated CLI has not run %[1]s, and the model can go on with other tools. To allow it, give a rule for "+
		"%[1]s in the permissions of the settings or with --allowedTools, or choose another permission mode for the session.", tool)
}

func (p *Policy) decide(r *Request, mode string) Decision {
	switch {
	case r.Tool == "AskUserQuestion" || r.Tool == "ExitPlanMode":
		return Decision{Behavior: Ask, Interactive: true}
	case r.Tool == "Bash":
		return p.bash(r, mode)
	case edits(r.Tool) || reads(r.Tool):
		return p.file(r, mode)
	case r.Tool == "WebFetch":
		return p.fetch(r, mode)
	case r.Tool == "Monitor":
		if d := p.bash(r, mode); d.Behavior == Allow {
			return d
		}
	}
	d, ruled := p.byRules(r, mode, func(rule Rule) bool {
		return rule.Content == "" || r.Tool == "Skill" && rule.skill(r.Input.Text("skill"))
	})
	switch {
	case mode == "plan" && r.Changes && (!ruled || d.Behavior == Allow):
		return Decision{Behavior: Ask, Reason: "mode"}
	case ruled:
		return d
	case r.Brings:
		name := r.Input.Text("skill")
		return Decision{Behavior: Ask, Message: fmt.Sprintf("The skill %s may not be used unasked. The rule Skill(%[1]s) in .claude/settings.local.json lets it be used.", name),
			Suggestions: []any{addRules(LocalSettings, Rule{"Skill", name}), addRules(LocalSettings, Rule{"Skill", name + ":*"})}}
	case (r.Tool == "Agent" || r.Tool == "Task") && (mode == "auto" || mode == "plan"):
		return Decision{Behavior: Ask} // by the check
	case r.Free:
		return Decision{Behavior: Allow}
	}
	return Decision{Behavior: Ask, Suggestions: []any{addRules(LocalSettings, Rule{Tool: r.Tool})}, Policy: strings.HasPrefix(r.Tool, "mcp__"), open: true}
}

// byRules decides by the rules of a tool and the mode bypassPermissions, but for the rules that ask
// for every use.
func (p *Policy) byRules(r *Request, mode string, fits func(Rule) bool) (Decision, bool) {
	ours := func(rule Rule) bool { return rule.names(r.Tool) && fits(rule) }
	if e, ok := p.find(Deny, ours); ok {
		return Decision{Behavior: Deny, Reason: "rule", Source: e.source, Message: fmt.Sprintf("Permission to use %s has been denied.", r.Tool)}, true
	}
	if e, ok := p.find(Ask, func(rule Rule) bool { return rule.Content != "" && ours(rule) }); ok {
		return Decision{Behavior: Ask, Reason: "rule", Source: e.source, Policy: true, ByRule: true}, true
	}
	if mode == "bypassPermissions" {
		return Decision{Behavior: Allow, Reason: "mode"}, true
	}
	if e, ok := p.find(Allow, ours); ok {
		return Decision{Behavior: Allow, Reason: "rule", Source: e.source}, true
	}
	return Decision{}, false
}

func (p *Policy) fetch(r *Request, mode string) Decision {
	host := ""
	if u, err := url.Parse(r.Input.Text("url")); err == nil {
		host = u.Hostname()
	}
	domain := "domain:" + host
	suggestions := []any{object.Of("type", "addRules", "destination", string(LocalSettings),
		"rules", []any{object.Of("toolName", "WebFetch", "ruleContent", domain)}, "behavior", "allow")}
	d, ok := p.byRules(r, mode, func(rule Rule) bool { return rule.Content == "" || rule.Content == domain })
	if ok {
		switch d.Behavior {
		case Deny:
			d.Message = fmt.Sprintf("WebFetch denied access to %s.", domain)
		case Ask:
			d.Suggestions = suggestions
		}
		return d
	}
	return Decision{Behavior: Ask, Suggestions: suggestions}
}

// path returns the file or folder that a tool uses, "" for none.
func (r *Request) path(dir string) string {
	path := r.Input.Text("file_path")
	switch r.Tool {
	case "NotebookEdit":
		path = r.Input.Text("notebook_path")
	case "Glob", "Grep":
		path = r.Input.Text("path")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path)
}

const outsideText = "Path is outside allowed working directories"

func (p *Policy) file(r *Request, mode string) Decision {
	path := r.path(p.Dir)
	d, ruled := p.byRules(r, "", func(rule Rule) bool {
		return (rule.Content == "" || rule.Tool == "Edit" || rule.Tool == "Read") && rule.path(path, p.Dir, p.Home)
	})
	if ruled && d.Behavior == Allow && (mode == "plan" && edits(r.Tool) || p.byMode(r.Tool, path, mode)) {
		ruled = false
	}
	if ruled && d.Behavior == Deny && !p.Denies(r.Tool) {
		d.Refused, d.Message = true, "File is in a directory that is denied by your permission settings."
		return d
	}
	if ruled && d.Behavior == Deny {
		return d
	}
	if e, ok := p.find(Deny, func(rule Rule) bool {
		return edits(r.Tool) && rule.Tool == "Read" && rule.Content != "" && rule.path(path, p.Dir, p.Home)
	}); ok {
		return Decision{Behavior: Deny, Reason: "rule", Source: e.source, Refused: true, Message: "The file is one that a rule does not let be read, so it cannot be written."}
	}
	if ruled && d.Behavior == Ask {
		return d
	}
	if mode == "bypassPermissions" {
		return Decision{Behavior: Allow, Reason: "mode"}
	}
	if reads(r.Tool) {
		if ruled {
			return d
		}
		// What may be changed may be read.
		e, ok := p.find(Allow, func(rule Rule) bool {
			return rule.Tool == "Edit" && rule.Content != "" && rule.path(path, p.Dir, p.Home)
		})
		if ok && p.edit("Edit", path, mode).Behavior != Allow && mode != "plan" && p.sensitive(path) == "" {
			return Decision{Behavior: Allow, Reason: "rule", Source: e.source}
		}
		return p.read(path, mode)
	}
	if text := p.sensitive(path); text != "" {
		d := Decision{Behavior: Ask, Reason: "safetyCheck", Text: text, Message: text, Approvable: true, Suggestions: []any{}}
		if mode == "default" {
			d.Suggestions = []any{setMode("acceptEdits")}
		}
		if skill := p.skillFolder(path); skill != "" {
			d.Suggestions = []any{addRules(SessionRules, Rule{"Edit", skill + "/**"})}
		}
		return d
	}
	if ruled {
		return d
	}
	return p.edit(r.Tool, path, mode)
}

// byMode reports whether the mode lets a file be used. It counts before rules for some files.
func (p *Policy) byMode(tool, path, mode string) bool {
	if _, every := p.find(Allow, func(rule Rule) bool { return rule.names(tool) && rule.Content == "" }); every {
		return false
	}
	if reads(tool) {
		return p.read(path, mode).Behavior == Allow
	}
	return p.sensitive(path) == "" && p.edit(tool, path, mode).Behavior == Allow
}

func (p *Policy) read(path, mode string) Decision {
	if p.inside(path) || mode == "plan" || mode == "auto" {
		return Decision{Behavior: Allow, Reason: "mode"}
	}
	return Decision{
		Behavior: Ask, Reason: "workingDir", Text: outsideText, Policy: true,
		Message:     fmt.Sprintf("Claude requested permissions to read from %s, but you haven't granted it yet.", path),
		Suggestions: []any{addRules(SessionRules, Rule{"Read", "/" + filepath.Dir(path) + "/**"})},
	}
}

func (p *Policy) edit(tool, path, mode string) Decision {
	inside := p.inside(path)
	if inside && (mode == "acceptEdits" || mode == "auto") {
		return Decision{Behavior: Allow, Reason: "mode"}
	}
	if mode == "plan" {
		return Decision{Behavior: Ask, Reason: "mode", Message: writeMessage(path)}
	}
	d := Decision{Behavior: Ask, Message: writeMessage(path), Policy: tool != "NotebookEdit"}
	if mode != "acceptEdits" {
		d.Suggestions = append(d.Suggestions, setMode("acceptEdits"))
	}
	if !inside {
		d.Reason, d.Text = "workingDir", outsideText
		d.Suggestions = append(d.Suggestions, addFolders(filepath.Dir(path)))
	}
	return d
}

func writeMessage(path string) string {
	return fmt.Sprintf("Claude requested permissions to write to %s, but you haven't granted it yet.", path)
}

// sensitive says why a file is not changed without asking, "" if it is like others.
func (p *Policy) sensitive(path string) string {
	rel, err := filepath.Rel(p.Dir, path)
	if err != nil {
		rel = path
	}
	names := strings.Split(filepath.ToSlash(rel), "/")
	switch {
	case slices.Contains(names, ".claude"):
		return writeMessage(path)
	case slices.Contains(names, ".git") || slices.Contains(names, ".vscode") || slices.Contains(names, ".idea") ||
		slices.Contains([]string{".bashrc", ".bash_profile", ".zshrc", ".profile", ".gitconfig", ".gitmodules", ".mcp.json", ".npmrc"}, names[len(names)-1]):
		return fmt.Sprintf("Claude requested permissions to edit %s which is a sensitive file.", path)
	}
	return ""
}

// skillFolder returns the folder of the skill that a file is of, below the working directory; "" if
// it is not a skill's.
func (p *Policy) skillFolder(path string) string {
	rel, err := filepath.Rel(filepath.Join(p.Dir, ".claude", "skills"), path)
	if name, _, inside := strings.Cut(filepath.ToSlash(rel), "/"); err == nil && inside && filepath.IsLocal(rel) {
		return "/.claude/skills/" + name
	}
	return ""
}

func addRules(to Source, rules ...Rule) object.Object {
	list := []any{}
	for _, r := range rules {
		list = append(list, object.Of("toolName", r.Tool, "ruleContent", object.If(r.Content != "", r.Content)))
	}
	return object.Of("type", "addRules", "rules", list, "behavior", "allow", "destination", string(to))
}

func setMode(mode string) object.Object {
	return object.Of("type", "setMode", "mode", mode, "destination", "session")
}

func addFolders(list ...any) object.Object {
	return object.Of("type", "addDirectories", "directories", list, "destination", "session")
}

// describe says in short what a tool is used for.
func (p *Policy) describe(r *Request) string {
	switch {
	case r.Tool == "Bash":
		if text := r.Input.Text("description"); text != "" {
			return text
		}
		return r.Input.Text("command")
	case edits(r.Tool) || r.Tool == "Read":
		path := r.path(p.Dir)
		if rel, err := filepath.Rel(p.Dir, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
		return path
	case r.Tool == "WebFetch":
		return r.Input.Text("url")
	case r.Tool == "WebSearch":
		return r.Input.Text("query")
	case r.Tool == "Skill":
		return r.About
	}
	return ""
}

// Members returns the members of the request to the SDK that tell of the decision. Hooked says that
// hooks are asked too.
func (d *Decision) Members(hooked bool) object.Object {
	return object.Of(
		"description", object.If(d.Description != "", d.Description),
		"permission_suggestions", object.If(d.Suggestions != nil, d.Suggestions),
		"blocked_path", object.If(d.BlockedPath != "", d.BlockedPath),
		"decision_reason", object.If(d.Text != "" || d.Blank, d.Text),
		"decision_reason_type", object.If(d.Reason != "", d.Reason),
		"decision_reason_rule_source", object.If(d.ByRule && d.Reason == "rule", string(d.Source)),
		"decision_reason_hook_event", object.If(d.HookEvent != "", d.HookEvent),
		"decision_reason_hook_source", object.If(d.HookSource != "", d.HookSource),
		"classifier_approvable", object.If(d.Approvable || d.Unapprovable, d.Approvable),
		"suppress_always_allow_rule", object.If(d.Unapprovable, true),
		"server_policy_ask_only", object.If(d.Policy, !hooked && !d.ByRule && !d.MayByRule),
		"matched_ask_rule", object.If(d.Matched.Tool != "", object.Of("source", string(d.Source), "tool_name", d.Matched.Tool)),
		"requires_user_interaction", object.If(d.Interactive, true))
}
