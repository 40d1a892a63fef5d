package result

import (
	"testing"

	"github.com/ccwire/ccwire/internal/sim/line/linetest"
)

func TestMembersAreThereSinceTheVersionThatTheSchemaSays(t *testing.T) {
	for _, l := range []members{turn, noSession} {
		linetest.Check(t, l, "message/result.success.json", "message/result.error.json")
	}
}
