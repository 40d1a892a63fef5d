// Package ciformat writes what build servers and code scanners read: JUnit XML and SARIF. It knows
// nothing of what was tested.
package ciformat
