//go:build packages

package npm_test

import "testing"

func TestInstalledHelpersSimulateAndLeaveNothing(t *testing.T) {
	dir := project(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	run(t, dir, "node", "--test", "helpers.test.mjs")
	if left := readNames(t, tmp); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
