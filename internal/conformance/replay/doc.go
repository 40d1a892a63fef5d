// Package replay is a simulated CLI: it says what a real one has said in a recording.
//
// It waits for each line that the SDK wrote in the recording and then writes what the CLI wrote,
// with the ids, folders and version of this session. It ends as the CLI ended. [Target] plays
// recordings in process; [Serve] plays one over any pair of streams.
//
// An SDK that does something else than in the recording gets no answer to it: the simulated CLI
// says on stderr what it has waited for, and ends with [ExitStray].
package replay
