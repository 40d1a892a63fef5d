// Package history knows which releases of the CLI take a name: a control request, a type of line on
// stdin, a hook event, a permission mode, a flag. The data are answers of releases, which were
// asked one by one; what follows from them is exact where two neighbours on npm differ.
package history
