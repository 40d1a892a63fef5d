// Package shell runs command lines for the simulated CLI, behind its fence.
//
// A command runs in a process group of its own, with a limit on its time and on its output.
//
// [Refuse] reads a command line and names the first word that leaves the folder: an absolute path,
// a way up, a home directory. It judges the text, so that the model is told why; what a program
// does that the command starts is held by the [fence].
package shell
