// Package replay plays recordings to the judge, for tests: of the recordings themselves, and of
// what the judge says when the CLI says something else. Only tests import it; the CLI that others
// can use is the package sim.
//
// It waits for each line that the SDK wrote in the recording and then writes what the CLI wrote,
// with the ids, folders and version of this session. It ends as the CLI ended. [Target] plays
// recordings in process; [Target.Changed] plays what a test makes of them.
//
// An SDK that does something else than in the recording gets no answer to it: the replay says on
// stderr what it has waited for, and ends with [ExitStray].
package replay
