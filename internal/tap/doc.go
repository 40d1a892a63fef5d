// Package tap stands between an SDK and the CLI, as the SDK's claude, and records what passes.
//
// # The path
//
// [Tap.Run] starts the CLI and passes every byte of the three standard streams on, unchanged and at
// once, and with them the ends of streams, signals, and the exit code or the signal that ended the
// CLI. Nothing on that path waits for the recorder, unless its queue is full: then the path goes at
// the recorder's pace, if that is 26 MB a second or more, and otherwise on without it after
// [Limits].Wait.
//
// # Beside the path
//
// A copy of the bytes goes through a queue of bounded size to one goroutine, the recorder. It cuts
// lines, scrubs them if asked to, and writes them in the format of package recording; it gives them
// to a judge and to those who watch. A copy is put into the queue before the bytes are passed on,
// so that an answer never comes before its question in a recording. What finds no room, or cannot
// be written, is counted, and the recording has an entry in its place. The judge comes last: while
// much waits for the recorder, lines are not judged, and counted.
package tap
