// Package manual is the reference of the protocol as data: for each definition of the schemas what
// it is, who writes it, its members, a real example, the versions that have it, and what it belongs
// to. It is made from the schemas and from what the recordings show (package shown).
//
// The packages below it print it: markdown for the repository, page as one HTML file, plain for a
// terminal. Package guide has the pages that are written by hand, and package sequence draws the
// diagrams in them from recordings.
package manual
