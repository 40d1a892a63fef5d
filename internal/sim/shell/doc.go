// Package shell runs command lines for the simulated CLI. It is the only place that starts a shell.
//
// A command runs in a process group of its own, with an environment that has nothing of the
// caller's but PATH and the locale, with a limit on its time and on its output.
//
// # What holds a command in its folder
//
// [Refuse] reads a command line and names the first word that leaves the folder: an absolute path,
// a way up, a home directory. It judges the text, so a program that the command starts can still
// leave. Where the system has Landlock (Linux 5.13 and later), a command with a [Command.Fence]
// and all that it starts can write to the folder alone, and read nothing else but what programs
// need to run: the folders of the system, those of PATH, and what is installed with these.
// Elsewhere such a command does not start: [ErrNoFence].
package shell
