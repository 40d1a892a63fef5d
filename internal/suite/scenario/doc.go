// Package scenario reads conformance scenarios: small plays between an SDK and a CLI, one txtar
// file each.
//
// The comment of the archive says in prose what must hold and why, and ends with header lines such
// as "level: required". The file "script" has the steps, one on each line: what the SDK writes,
// what the CLI must write. The file "api.json" is what the model says ([fakeapi.Script]), and
// whatever stands below "files/" is put into the CLI's working directory.
//
// The format is described in docs/scenarios.md. [Parse] rejects what it does not know, so that a
// misspelt step is an error and not a step that never fails.
//
// # Dialects
//
// Scenarios for an SDK are files of the same form, with headers and steps of their own. A [Dialect]
// says which; [File] is what both have. The dialect of this package is for a CLI.
//
// # Patterns
//
// A [Pattern] is JSON in which strings that start with "$" are matchers. An object matches an
// object that has at least its members. [Vars] holds what patterns have bound, for later patterns
// and later lines.
package scenario
