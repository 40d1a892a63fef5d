// Package terminal decides what output may have that only suits a terminal: colour, a progress line
// and the width of tables.
package terminal
