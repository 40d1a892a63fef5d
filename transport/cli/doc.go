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
//     slow callback blocks the process.
//   - The exit is reported once: [Process.Done] is closed, and from then on [Process.Exit] has the
//     record.
//   - [Process.Stop] ends the process in steps: close stdin, wait, interrupt, wait, kill, each
//     signal to the whole group. It can be called twice, concurrently, and after the exit.
//   - When [Process.Done] is closed, no goroutine, pipe, timer or child process is left, except an
//     [Options.OnStderr] callback that has not returned.
//
// # Platforms
//
// Linux and macOS are supported in full. On Windows the interrupt is a CTRL_BREAK event, which
// needs a console, and a kill reaches the descendants through taskkill.
package cli
