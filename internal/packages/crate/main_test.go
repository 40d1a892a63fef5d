//go:build packages

package crate_test

import (
	"os"
	"testing"

	"github.com/ccwire/ccwire/internal/packages/packagestest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	packagestest.Clean()
	os.RemoveAll(shared.dir)
	os.Exit(code)
}
