// Package inventory says what recordings of one CLI version contain: the kinds of lines, the
// members of each definition with their JSON kinds, the values of enums, and the course of each
// scenario.
//
// It looks at recordings only, so whatever it says was seen.
package inventory
