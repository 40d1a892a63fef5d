// Package languages holds a small program for each language whose types are generated from the
// output of protogen bundle --for codegen, and the tests that run them: make languages. The
// programs read what the newest recorded CLI and its peer wrote as the generated types. Validators
// of two languages judge the output of protogen bundle.
//
// Package workshop installs the tools at the versions that the folders pin. Nothing that is
// generated is kept in the repository, but for the short pieces in docs/languages.md, which the
// test compares; with -update it writes them.
package languages
