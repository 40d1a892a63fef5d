//go:build packages

package npm_test

import (
	"os"
	"testing"

	"github.com/ccwire/ccwire/internal/packages/packagestest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	packagestest.Clean()
	os.Exit(code)
}
