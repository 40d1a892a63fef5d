// Package object holds JSON values as JavaScript does: an object keeps the order of its members, a
// number is a float64, a text may hold half of a surrogate pair. A value is nil, bool, float64,
// string, []any or [Object]; [Append] also takes what Go code writes by hand, such as int and
// []string.
package object
