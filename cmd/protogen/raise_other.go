//go:build !unix

package main

// raise ends this process as a shell would say of one that a signal has ended.
func raise(name string) error {
	return otherExit(map[string]int{"KILL": 137, "TERM": 143, "SEGV": 139, "ABRT": 134}[name])
}
