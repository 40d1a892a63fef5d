package fence

import "testing"

// setLandlock makes the system have another version of Landlock for a test, 0 for none.
func setLandlock(t *testing.T, version int) {
	t.Helper()
	has := landlock
	landlock = func() int { return version }
	t.Cleanup(func() { landlock = has })
}
