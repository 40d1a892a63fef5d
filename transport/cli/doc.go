// Package cli runs the Claude Code CLI as a child process. It knows nothing of the protocol that
// the CLI speaks over its pipes; package transport does.
//
//	path, err := cli.Find("")
//	version, err := cli.Probe(ctx, path, nil)
//	err = version.Require(cli.FeatureHooks)
//	p, err := cli.Start(cli.Options{Path: path, Args: args})
//	defer p.Stop(ctx)
//
// [Find] finds the executable, [Probe] asks it for its version, [Version.Require] says what that
// version cannot do. [Start] starts it with an argument vector, never a shell, in a process group
// of its own.
//
// # Guarantees
//
//   - Everything that the process wrote to stdout before its exit can be read from
//     [Process.Stdout], however late. The wait for the exit never races the reader.
//   - A descendant that inherited a pipe and outlives the process delays the end by
//     [Options.DrainTime] at most.
//   - Stderr is always read. A bounded tail of it is in every [ExitError]; neither a flood nor a
//     callback that is slow, never returns, panics or calls Stop blocks anything.
//   - The exit is reported once: [Process.Done] is closed, and from then on [Process.Exit] has the
//     record.
//   - [Process.Stop] ends the process in steps: close stdin, interrupt, terminate, kill, each
//     signal to the whole group. By default, a process that obeys one of them at once is gone in
//     well under a second; the CLI takes up to two if it has to end a tool first; what ignores all
//     of them is gone in about three. [ExitError.Stop] says how far it went and how long each step
//     had. Stop can be called twice, concurrently, and after the exit.
//   - No descendant outlives the process, however that ended, unless [Options.KeepDescendants] says
//     so: neither one in the group nor one that left it, as the CLI's shell commands do. The CLI
//     ends its tools by itself at every step but the last; what it leaves is killed.
//   - When this process ends, by a signal, a panic or otherwise, the process gets a termination
//     signal, at which the CLI ends its tools. After [Options.TerminateGrace] what is left of it
//     and of its descendants is killed, by a shell that waits beside each process for that.
//   - When [Process.Done] is closed, no goroutine, pipe, timer or child process is left, except an
//     [Options.OnStderr] callback that has not returned.
//
// # Platforms
//
// The tests run on Linux, where all of this holds. Descendants are known there by a variable in
// their environment, CCWIRE_FAMILY, by their parents and by the sessions that they have made;
// without /proc only those in the group are killed. After the death of this process it is by the
// variable alone, with /bin/sh and grep.
//
// On macOS and other Unix systems only the group is killed, right after the exit status was
// collected, and the death of this process is not passed on: the CLI still sees the end of its
// input.
//
// The tests that need no Unix run as programs for Windows, under Wine. The process and its
// descendants are in a job object, which ends with the process and with this one; a descendant that
// is started before the process is put there escapes it. The interrupt is a CTRL_BREAK event, which
// needs a console; there is no termination signal.
//
// Elsewhere, as in WebAssembly and on Plan 9, Start fails with [errors.ErrUnsupported].
package cli
