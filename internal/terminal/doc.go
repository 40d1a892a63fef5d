// Package terminal decides what output may have that only suits a terminal: colour and a progress
// line.
package terminal
