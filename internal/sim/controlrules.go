package sim

import (
	"context"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/permission"
)

func init() {
	controls["list_permission_rules"] = control{serve: (*Session).listRules}
}

// listRules serves list_permission_rules.
func (s *Session) listRules(context.Context, object.Object) (reply, error) {
	rules := []any{}
	s.policy.Each(func(b permission.Behavior, source permission.Source, r permission.Rule) {
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
	for _, f := range s.policy.Folders() {
		folders = append(folders, f)
	}
	return reply{body: object.Of("state", object.Of("rules", rules, "workspaceDirectories", folders, "originalCwd", s.place.Dir(), "managedOnly", false))}, nil
}
