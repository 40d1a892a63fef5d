// Package driver is the protocol between protogen conform sdk and a driver, the small program that
// uses an SDK as it is told: one JSON [Command] a line on its stdin, one JSON [Report] a line on
// its stdout.
//
// docs/drivers.md describes it for authors of drivers, schema/conformance has its schemas.
package driver
