// Package sessions lists, reads, renames, tags, forks and deletes the sessions that the CLI keeps
// on disk, as the official SDKs do. It needs no CLI.
//
// A session is a file of one JSON object per line, the transcript, below the config folder of the
// CLI. [Store.List] and [Store.Find] find sessions, [Session.Messages] reads the conversation,
// [Session.Entries] every line.
//
// # Memory
//
// [Store.List] and [Session.Info] read the first and the last 64 KiB of a file. [Session.Messages]
// and [Session.Fork] read it twice, and keep a few words of each entry besides one line at a time.
//
// # Files that a CLI writes
//
// A CLI only ever adds lines to a transcript, so a session that runs can be read: what it has
// written so far counts, and a last line that is not finished does not. Lines that are not JSON
// objects are left out by everything but [Session.Entries], which reports them.
//
// [Session.Rename] and [Session.Tag] add a line, too, and [Session.Fork] writes a new file. A
// session that this program runs is renamed by the control request rename_session instead, the
// method RenameSession of wire.Client.
//
// # Transcripts elsewhere
//
// A [Mirror] writes what a CLI adds to its transcripts to a [Backend], such as a database, while
// the CLI writes them to its disk. [Store.Restore] brings a session back to a disk, from where a
// CLI resumes it.
//
//	m := sessions.NewMirror(backend, nil)
//	defer m.Close() // after the session
//	s, err := transport.Open(ctx, &transport.Options{OnTranscript: m.Add})
package sessions
