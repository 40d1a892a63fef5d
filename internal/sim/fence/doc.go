// Package fence starts the processes of the simulated CLI. It is the only place that starts one:
// shells, hooks, MCP servers and git are all behind it.
//
// A script's model can write settings, repositories and programs into the working directory, so
// nothing that runs there is trusted, whoever has asked for it. A process of a [Fence], and all
// that it starts,
//
//   - can write to the working directory, to the folders that the SDK's user has added to it, and
//     to a folder for temporary files, and nowhere else,
//   - can read these and what programs need to run, which is not /proc of any process, nor a home
//     directory,
//   - has nothing of the session's environment but PATH, the locale and the time zone,
//   - can listen for TCP, and has no more of the network and of this machine's sockets,
//   - has no capability of root but to overlook the modes of files, and cannot signal or trace a
//     process that is not behind the fence,
//   - ends with the session at the latest, also if it has left its process group.
//
// Landlock (Linux 5.13 and later) and a seccomp filter hold that. Where the system has not got
// both, a process does not start: [ErrNone]. A fence that is open holds nothing.
//
// # How it holds
//
// Landlock and seccomp restrict a thread and what it starts. A [Fence] has a thread for that, the
// keeper, which restricts itself once and starts all processes, so that they share one Landlock
// domain. When the session ends, the keeper ends the processes of its domain.
package fence
