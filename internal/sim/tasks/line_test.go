package tasks

import (
	"testing"

	"github.com/ccwire/ccwire/internal/sim/line/linetest"
)

func TestMembersOfTaskLinesAreThereSinceTheVersionThatTheSchemaSays(t *testing.T) {
	linetest.Check(t, started, "message/system.task_started.json")
	linetest.Check(t, progress, "message/system.task_progress.json")
	linetest.Check(t, update, "message/system.task_updated.json")
	linetest.Check(t, notification, "message/system.task_notification.json")
}
