// Package reports writes what came of a conformance run: a table for people at a terminal, JSON and
// JUnit for machines, and one page of HTML.
package reports
