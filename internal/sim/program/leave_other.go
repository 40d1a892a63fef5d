//go:build !unix

package program

import "os"

// raise ends this process as a shell would say of one that a signal has ended.
func raise(name string) {
	os.Exit(shellCodes[name])
}
