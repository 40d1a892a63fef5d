// Package tools acts out the built-in tools of the CLI in a working directory: what they do to
// files, what the model is told of it, and the result that SDKs and hooks get.
//
// Files are opened through an [os.Root], so that neither a link nor a way up nor an absolute path
// leads out of the working directory. Bash refuses a line that names something outside, and what it
// starts is held by the system where that can be done (see the package shell). [Options.Outside]
// lifts both.
package tools
