// Package ccwire is a driver for protogen conform sdk on package transport. docs/drivers.md has the
// protocol.
//
//	protogen conform sdk --driver 'go run ./internal/scoreboard/ccwire/main'
package ccwire
