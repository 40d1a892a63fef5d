//go:build !unix

package program

import "os"

// raise ends this process as a shell would say of one that a signal has ended.
func raise(name string) {
	os.Exit(map[string]int{"KILL": 137, "TERM": 143, "SEGV": 139, "ABRT": 134, "PIPE": 141}[name])
}
