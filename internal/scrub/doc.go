// Package scrub makes lines of the protocol fit to be shown to others.
//
// What the schemas have as words stays: names of members, and values at members where the schemas
// list values. Booleans and null stay, and numbers of a digit, or at members that have numbers by
// the schemas, unless these say nothing of what is around. All else is replaced by a numbered
// stand-in, the same one for equal strings, whether they are names or values, so that requests and
// answers still join. A stand-in is of the kind of what it replaces, where that matters: a UUID, an
// id of a message or tool use, a time, a path, an address.
//
// With KeepNames, a name that the schemas do not know stays if it looks like one that a programmer
// gives: of a member, of a type or a subtype of a line. A report on what is new needs that.
//
// A line is valid, or is not, as it was before.
package scrub
