//go:build !linux

package sandbox

import "errors"

// ErrNoPrivateNetwork says that the system does not let this user make a network of its own.
var ErrNoPrivateNetwork = errors.New("the system allows no private network")

// Isolated reports whether this process runs in a network that ends at loopback.
func Isolated() bool { return false }

// Isolate fails with ErrNoPrivateNetwork: only Linux has what it needs.
func Isolate() (inside bool, code int, err error) { return false, 0, ErrNoPrivateNetwork }
