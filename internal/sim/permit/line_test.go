package permit

import (
	"testing"

	"github.com/ccwire/ccwire/internal/sim/line/linetest"
)

func TestMembersOfADenialAreThereSinceTheVersionThatTheSchemaSays(t *testing.T) {
	linetest.Check(t, denied, "message/system.permission_denied.json")
}
