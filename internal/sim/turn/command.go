package turn

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/extensions"
	"github.com/ccwire/ccwire/internal/sim/permission"
)

// commandRules is the source of the rules that a command brings with it.
const commandRules permission.Source = "command"

// chooseModel has the model of a command asked up to the end of the turn.
func (t *Turn) chooseModel() {
	s := t.stage
	for _, p := range t.prompts {
		name, _, ok := extensions.Split(p.Text())
		if x := s.Ext.Command(name); ok && x != nil && x.Model != "" && x.Model != "inherit" {
			s.Main.Model = s.Chosen.Resolve(x.Model)
		}
	}
}

// expand puts the text of a command into the conversation. Up to the end of the turn, the command's
// tools are allowed.
func (t *Turn) expand(x *extensions.Extension, args string) {
	s := t.stage
	head := "<command-message>" + x.Name + "</command-message>\n<command-name>/" + x.Name + "</command-name>\n"
	if args != "" {
		head += "<command-args>" + args + "</command-args>\n"
	}
	s.Policy.Replace(permission.Allow, commandRules, x.Allowed...)
	s.Main.Talk.Add("user", object.Of("type", "text", "text", head), object.Of("type", "text", "text", x.Expand(args, s.Tools.Inline(t.ctx))))
}

// collapse takes back what a command has brought with it.
func (t *Turn) collapse() {
	t.stage.Main.Model = ""
	t.stage.Policy.Replace(permission.Allow, commandRules)
}
