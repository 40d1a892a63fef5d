// Package drivercheck finds what is wrong with a driver, so that it is not taken for a fault of the
// SDK: whether it keeps the protocol of docs/drivers.md, and whether it does what it declares, with
// a simulated CLI that behaves.
package drivercheck
