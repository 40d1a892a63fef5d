// Package sandbox gives a CLI under test a place of its own: scratch folders, a clean environment
// and, where the system allows it, a network that ends at loopback.
package sandbox
