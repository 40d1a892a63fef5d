package permit

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/hooks"
	"github.com/ccwire/ccwire/internal/sim/line"
	"github.com/ccwire/ccwire/internal/sim/permission"
)

// denial is a use of a tool that is denied, and why.
type denial struct {
	*Use
	permission.Decision
}

// denied is the line system/permission_denied.
var denied = line.Line[*denial]{
	{Name: "type", Value: line.Always[*denial]("system")},
	{Name: "subtype", Value: line.Always[*denial]("permission_denied")},
	{Name: "tool_name", Value: func(d *denial) any { return hooks.OwnName(d.Name) }},
	{Name: "tool_use_id", Value: func(d *denial) any { return d.ID }},
	{Name: "agent_id", Value: func(d *denial) any { return object.If(d.Agent != "", d.Agent) }},
	{Name: "decision_reason_type", Value: func(d *denial) any { return object.If(d.Reason != "", d.Reason) }},
	{Name: "decision_reason_code", Value: func(d *denial) any { return object.If(d.Code != "", d.Code) }, Since: "2.1.325"},
	{Name: "decision_reason", Value: func(d *denial) any { return object.If(d.Text != "", d.Text) }, Since: "2.1.250"},
	{Name: "message", Value: func(d *denial) any { return d.Message }},
}
