// Package scrub makes lines of the protocol fit to be shown to others.
//
// What the schemas have as words stays: names of members, and values at members where the schemas
// list values. Numbers, booleans and null stay. Every other string is replaced by a numbered
// stand-in, the same one for equal strings, so that requests and answers still join. A stand-in is
// of the kind of what it replaces, where that matters: a UUID, an id of a message or tool use, a
// time, a path, an address. The name of a member that the schemas do not know stays if it looks
// like a name that a programmer gives, and so does an unknown type or subtype of a line.
//
// A line is valid, or is not, as it was before.
package scrub
