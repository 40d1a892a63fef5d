package permission

import (
	"path/filepath"
	"slices"
	"sync"
)

// Behavior is what happens with a use of a tool.
type Behavior string

// The behaviors.
const (
	Allow Behavior = "allow"
	Deny  Behavior = "deny"
	Ask   Behavior = "ask"
)

// Source is where a rule comes from.
type Source string

// The sources.
const (
	UserSettings    Source = "userSettings"
	ProjectSettings Source = "projectSettings"
	LocalSettings   Source = "localSettings"
	FlagSettings    Source = "flagSettings"
	PolicySettings  Source = "policySettings"
	CLIArg          Source = "cliArg"
	SessionRules    Source = "session"
)

// entry is a rule with what it does.
type entry struct {
	behavior Behavior
	source   Source
	rule     Rule
}

// Policy holds the mode, the rules and the folders of a session. Its methods may be called at the
// same time.
type Policy struct {
	Dir    string // the working directory
	Home   string
	Bypass bool // the mode bypassPermissions can be set

	mu      sync.Mutex // guards the fields below
	mode    string
	before  string // the mode before plan
	entries []entry
	flags   []entry // of those, what --settings has denied; what comes later takes no tool away
	began   bool
	folders []place // beside Dir
}

// place is a working directory, and who has added it.
type place struct {
	path   string
	source Source
}

// Mode returns the mode.
func (p *Policy) Mode() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mode == "" {
		return "default"
	}
	return p.mode
}

// SetMode sets the mode. The one before plan is kept.
func (p *Policy) SetMode(mode string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if mode == "plan" && p.mode != "plan" {
		p.before = p.mode
	}
	p.mode = mode
}

// Change sets the mode, and reports whether it was another.
func (p *Policy) Change(mode string) bool {
	before := p.Mode()
	p.SetMode(mode)
	return before != mode
}

// LeavePlan sets the mode to what it was before plan, unless it is another already. It returns the
// mode, and whether it was plan.
func (p *Policy) LeavePlan() (mode string, left bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mode != "plan" {
		return p.mode, false
	}
	p.mode = p.before
	if p.mode == "" || p.mode == "plan" {
		p.mode = "default"
	}
	return p.mode, true
}

// Begin says that the session begins: tools are there that no rule denies so far.
func (p *Policy) Begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.began, p.flags = true, nil
	for _, e := range p.entries {
		if e.source == FlagSettings {
			p.flags = append(p.flags, e)
		}
	}
}

// Add adds rules.
func (p *Policy) Add(b Behavior, s Source, rules ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, text := range rules {
		p.addLocked(b, s, ParseRule(text))
	}
}

func (p *Policy) addLocked(b Behavior, s Source, r Rule) {
	if e := (entry{b, s, r}); !slices.Contains(p.entries, e) {
		p.entries = append(p.entries, e)
	}
}

// Replace replaces the rules of a source that do something.
func (p *Policy) Replace(b Behavior, s Source, rules ...string) {
	p.mu.Lock()
	p.entries = slices.DeleteFunc(p.entries, func(e entry) bool { return e.behavior == b && e.source == s })
	p.mu.Unlock()
	p.Add(b, s, rules...)
}

// AddFolders adds working directories.
func (p *Policy) AddFolders(s Source, list ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range list {
		if f = absolute(f, p.Dir); f != p.Dir && !slices.ContainsFunc(p.folders, func(other place) bool { return other.path == f }) {
			p.folders = append(p.folders, place{f, s})
		}
	}
}

// ReplaceFolders replaces the working directories of a source.
func (p *Policy) ReplaceFolders(s Source, list ...string) {
	p.mu.Lock()
	p.folders = slices.DeleteFunc(p.folders, func(f place) bool { return f.source == s })
	p.mu.Unlock()
	p.AddFolders(s, list...)
}

// Folders returns the working directories beside the first that others than some sources have
// added.
func (p *Policy) Folders(without ...Source) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	paths := []string{}
	for _, f := range p.folders {
		if !slices.Contains(without, f.source) {
			paths = append(paths, f.path)
		}
	}
	return paths
}

// Each calls see with every rule.
func (p *Policy) Each(see func(Behavior, Source, Rule)) {
	p.mu.Lock()
	entries := slices.Clone(p.entries)
	p.mu.Unlock()
	for _, e := range entries {
		see(e.behavior, e.source, e.rule)
	}
}

// Disabled reports whether a rule takes a tool away altogether. A rule of the session does not, nor
// one of flags that comes while it runs: they deny the uses of a tool that the model has.
func (p *Policy) Disabled(tool string) bool {
	return p.denies(tool, func(e entry) bool {
		return e.source != SessionRules && (e.source != FlagSettings || !p.began || slices.Contains(p.flags, e))
	})
}

// Denies reports whether a rule denies all uses of a tool.
func (p *Policy) Denies(tool string) bool {
	return p.denies(tool, func(entry) bool { return true })
}

func (p *Policy) denies(tool string, by func(entry) bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.entries, func(e entry) bool {
		return e.behavior == Deny && by(e) && e.rule.Content == "" && (e.rule.names(tool) || e.rule.fits(tool))
	})
}

// DeniesAgent returns the rule that denies a type of subagents, as the CLI names it, and its
// source.
func (p *Policy) DeniesAgent(kind string) (rule string, source Source, ok bool) {
	e, ok := p.find(Deny, func(r Rule) bool { return r.names("Agent") && r.Content == kind })
	return Rule{"Agent", e.rule.Content}.String(), e.source, ok
}

// find returns the first rule of a behavior that fits.
func (p *Policy) find(b Behavior, fits func(Rule) bool) (entry, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.entries {
		if e.behavior == b && fits(e.rule) {
			return e, true
		}
	}
	return entry{}, false
}

// inside reports whether a path is in a working directory.
func (p *Policy) inside(path string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(append([]place{{path: p.Dir}}, p.folders...), func(f place) bool {
		rel, err := filepath.Rel(f.path, path)
		return err == nil && filepath.IsLocal(rel)
	})
}
