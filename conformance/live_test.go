//go:build live

package conformance_test

import (
	"testing"

	"github.com/ccwire/ccwire/conformance"
	"github.com/ccwire/ccwire/internal/npm"
)

func TestLiveTheRealCLIKeepsScenariosFromGoTest(t *testing.T) {
	conformance.Test(t, conformance.NPM(npm.Pinned()), &conformance.Options{Run: []string{"turn/text", "permission/deny", "hook/pre-*"}})
}
