package requests

import (
	"testing"

	"github.com/ccwire/ccwire/internal/sim/line/linetest"
)

func TestWhatTheSessionTellsOfItselfIsThereSinceTheVersionThatTheSchemaSays(t *testing.T) {
	linetest.Check(t, initialized, "control/initialize.json#Response")
	linetest.Check(t, opening, "message/system.init.json")
}
