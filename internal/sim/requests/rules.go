package requests

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/control"
	"github.com/ccwire/ccwire/internal/sim/permission"
)

// rules serves the requests about the rules of permissions.
type rules struct{ *Parts }

func (s rules) handlers() handlers {
	return handlers{
		"list_permission_rules": {Serve: s.listRules},
	}
}

// listRules serves list_permission_rules.
func (s rules) listRules(context.Context, object.Object) (control.Reply, error) {
	type entry struct {
		behavior permission.Behavior
		source   permission.Source
		rule     permission.Rule
	}
	var entries []entry
	s.Policy.Each(func(b permission.Behavior, source permission.Source, r permission.Rule) {
		entries = append(entries, entry{b, source, r})
	})
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.behavior, b.behavior), cmp.Compare(slices.Index(listed, a.source), slices.Index(listed, b.source)))
	})
	rules := []any{}
	for _, e := range entries {
		edit := "persistent"
		switch e.source {
		case permission.CLIArg, permission.SessionRules:
			edit = "session"
		case permission.FlagSettings:
			edit = "readonly"
		}
		rules = append(rules, object.Of("behavior", string(e.behavior), "source", string(e.source), "rule", e.rule.String(),
			"description", aboutRule(e.rule), "editability", edit))
	}
	folders := []any{}
	for _, f := range s.Policy.Folders() {
		folders = append(folders, f)
	}
	return control.Reply{Body: object.Of("state", object.Of("rules", rules, "workspaceDirectories", folders, "originalCwd", s.Place.Dir(), "managedOnly", false))}, nil
}

// listed are the sources of rules in the order in which they are listed.
var listed = []permission.Source{permission.UserSettings, permission.ProjectSettings, permission.LocalSettings, permission.FlagSettings,
	permission.CLIArg, permission.SessionRules}

// aboutRule tells people what a rule is for; Absent for what is not told.
func aboutRule(r permission.Rule) any {
	shell := r.Tool == "Bash"
	start, open := strings.CutSuffix(r.Content, ":*")
	if !open {
		start, open = strings.CutSuffix(r.Content, " *")
	}
	switch {
	case shell && r.Content == "":
		return object.Of("prefix", "Any Bash command")
	case r.Content == "":
		return object.Of("prefix", "Any use of the ", "emphasis", r.Tool, "suffix", " tool")
	case shell && open:
		return object.Of("prefix", "Any Bash command starting with ", "emphasis", start)
	case shell:
		return object.Of("prefix", "The Bash command ", "emphasis", r.Content)
	}
	return object.Absent
}
