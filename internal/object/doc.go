// Package object holds JSON values in memory and keeps the order of the members of objects. A value
// is nil, bool, string, []any, [Object], and a number that is a float64, as in JavaScript, or a
// json.Number where its spelling counts. A text may hold half of a surrogate pair. [Append] also
// takes what Go code writes by hand, such as int and []string.
package object
