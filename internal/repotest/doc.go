// Package repotest holds the tests that are about the repository as a whole: what is in its root,
// which package imports which, what can be imported, what the documents say, what CI does.
package repotest
