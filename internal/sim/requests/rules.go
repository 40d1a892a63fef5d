package requests

import (
	"context"

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
	rules := []any{}
	s.Policy.Each(func(b permission.Behavior, source permission.Source, r permission.Rule) {
		about := object.Of("prefix", "Any use of the ", "emphasis", r.Tool, "suffix", " tool")
		if r.Content != "" {
			about = object.Of("prefix", "", "emphasis", r.String(), "suffix", "")
		}
		edit := "persistent"
		if source == permission.CLIArg || source == permission.SessionRules || source == permission.FlagSettings {
			edit = "session"
		}
		rules = append(rules, object.Of("behavior", string(b), "source", string(source), "rule", r.String(), "description", about, "editability", edit))
	})
	folders := []any{}
	for _, f := range s.Policy.Folders() {
		folders = append(folders, f)
	}
	return control.Reply{Body: object.Of("state", object.Of("rules", rules, "workspaceDirectories", folders, "originalCwd", s.Place.Dir(), "managedOnly", false))}, nil
}
