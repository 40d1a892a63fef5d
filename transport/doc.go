// Package transport runs the Claude Code CLI and speaks its stream-json protocol over the CLI's pipes.
//
// # Processes
//
// [FindCLI] finds the executable, [ProbeVersion] asks it for its version, and [Feature] knows what each version can do.
// [StartProcess] starts it: an argument vector, never a shell, in a process group of its own, with three pipes.
//
// What a [Process] promises:
//
//   - Everything that the process wrote to stdout before its exit can be read from [Process.Stdout], however late the
//     reader comes. The wait for the exit never races the reader.
//   - A descendant that inherited a pipe and outlives the process delays the end by [ProcessOptions.DrainTime] at most.
//   - Stderr is always read. A bounded tail of it is in every [ExitError]; no flood and no slow callback blocks the process.
//   - The exit is reported once: [Process.Done] is closed, and from then on [Process.Exit] has the record.
//   - [Process.Stop] ends it in steps: close stdin, wait, interrupt, wait, kill, each signal to the whole group. It can be
//     called twice, concurrently, and after the exit.
//   - When [Process.Done] is closed, no goroutine, pipe, timer or child process of ours is left, with one exception: an
//     OnStderr callback that has not returned.
//
// Linux and macOS are supported in full. On Windows the interrupt is a CTRL_BREAK event, which needs a console, and a kill reaches
// the descendants through taskkill.
package transport
