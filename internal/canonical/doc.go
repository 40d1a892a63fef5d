// Package canonical rewrites protocol lines in their canonical form: what the codec writes for the
// frame that it has read. Known members come in the order of the schema, insignificant space is
// gone, a legacy shape has become its modern form. The meaning of a line never changes.
package canonical
