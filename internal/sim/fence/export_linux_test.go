package fence

import "testing"

// SetLandlock makes the system have another version of Landlock, 0 for none. It returns the one
// that it has.
func SetLandlock(version int) (has int) {
	has = landlock()
	landlock = func() int { return version }
	return has
}

// Landlock is the version of Landlock that the system has.
func Landlock() int { return landlock() }

func setLandlock(t *testing.T, version int) {
	t.Helper()
	has := SetLandlock(version)
	t.Cleanup(func() { SetLandlock(has) })
}
