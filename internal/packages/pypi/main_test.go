//go:build packages

package pypi_test

import (
	"os"
	"testing"

	"github.com/ccwire/ccwire/internal/packages/packagestest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	packagestest.Clean()
	os.RemoveAll(environment.dir)
	os.Exit(code)
}
