package tasks

import (
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/line"
)

// event is what a line tells of a task.
type event struct {
	*Task
	background bool
	status     string
	file       string // with the output
	text       string // what the task does, or how it has ended
	tool       string // that a subagent uses
	usage      object.Object
	patch      object.Object // what is another now
}

type members = line.Line[*event]

// always is the value of a member that all lines of a kind have alike.
func always(value any) func(*event) any { return line.Always[*event](value) }

// agent holds for the task of a subagent.
func agent(e *event) bool { return e.Agent != nil }

// reports holds for the end of a subagent in the background that has said its last word.
func reports(e *event) bool { return agent(e) && e.Background() && e.status == "completed" }

// ambient holds for the task of a command.
func ambient(e *event) bool { return e.Ambient }

// Values of members.
var (
	taskID       = func(e *event) any { return e.ID }
	runID        = func(e *event) any { return e.Run }
	toolUseID    = func(e *event) any { return object.If(e.Use != "", e.Use) }
	subagentType = func(e *event) any { return e.Agent.Kind }
	usage        = func(e *event) any { return object.If(e.usage != nil, e.usage) }
	text         = func(e *event) any { return e.text }
)

// started is the line system/task_started.
var started = members{
	{Name: "type", Value: always("system")},
	{Name: "subtype", Value: always("task_started")},
	{Name: "task_id", Value: taskID},
	{Name: "run_id", Value: runID, Since: "2.1.325"},
	{Name: "tool_use_id", Value: toolUseID},
	{Name: "description", Value: func(e *event) any { return e.Description }},
	{Name: "subagent_type", Value: subagentType, When: agent, Since: "2.1.200"},
	{Name: "is_backgrounded", Value: func(e *event) any { return e.background }, Since: "2.1.250"},
	{Name: "spawn_depth", Value: func(e *event) any { return e.Agent.Depth }, When: agent, Since: "2.1.250"},
	{Name: "parent_task_id", Value: func(e *event) any { return object.If(e.Parent != "", e.Parent) }, Since: "2.1.325"},
	{Name: "task_type", Value: func(e *event) any { return e.Kind }},
	{Name: "prompt", Value: func(e *event) any { return e.Prompt }, When: agent},
	{Name: "skip_transcript", Value: always(true), When: ambient},
	{Name: "ambient", Value: always(true), When: ambient},
}

// progress is the line system/task_progress.
var progress = members{
	{Name: "type", Value: always("system")},
	{Name: "subtype", Value: always("task_progress")},
	{Name: "task_id", Value: taskID},
	{Name: "run_id", Value: runID, Since: "2.1.325"},
	{Name: "tool_use_id", Value: toolUseID},
	{Name: "description", Value: text},
	{Name: "subagent_type", Value: subagentType, When: agent, Since: "2.1.200"},
	{Name: "usage", Value: usage},
	{Name: "last_tool_name", Value: func(e *event) any { return e.tool }},
}

// update is the line system/task_updated.
var update = members{
	{Name: "type", Value: always("system")},
	{Name: "subtype", Value: always("task_updated")},
	{Name: "task_id", Value: taskID},
	{Name: "run_id", Value: runID, Since: "2.1.325"},
	{Name: "patch", Value: func(e *event) any { return e.patch }},
}

// notification is the line system/task_notification.
var notification = members{
	{Name: "type", Value: always("system")},
	{Name: "subtype", Value: always("task_notification")},
	{Name: "task_id", Value: taskID},
	{Name: "run_id", Value: runID, Since: "2.1.325"},
	{Name: "tool_use_id", Value: toolUseID},
	{Name: "status", Value: func(e *event) any { return e.status }},
	{Name: "output_file", Value: func(e *event) any { return e.file }},
	{Name: "summary", Value: text},
	{Name: "summary_is_report", Value: always(true), When: reports, Since: "2.1.327"},
	{Name: "usage", Value: usage},
	{Name: "skip_transcript", Value: always(true), When: ambient},
	{Name: "ambient", Value: always(true), When: ambient},
}
