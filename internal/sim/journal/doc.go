// Package journal writes down what passes through a session: every line of both directions with its
// time, how the CLI was started, and how it ended.
//
// A journal is a file of one JSON object per line, in the format of recordings (docs/recordings.md)
// with times, so that the tools for those read it. Several sessions may be in one file, one after
// the other or at the same time: each begins with its header, and all its entries have its key.
//
//	{"dir":"header","key":"4711-1","t_ms":0,"time":"2026-11-16T10:00:00Z","version":"2.1.325","args":["--verbose"],"cwd":"/work","env":{"CLAUDE_CODE_ENTRYPOINT":"sdk-py"}}
//	{"dir":"sdk->cli","key":"4711-1","t_ms":1.25,"line":"{\"type\":\"user\",…}"}
//	{"dir":"api","key":"4711-1","t_ms":1.4,"number":1,"line":"{\"model\":…}"}
//	{"dir":"cli->sdk","key":"4711-1","t_ms":1.5,"line":"{\"type\":\"system\",…}"}
//	{"dir":"sdk-eof","key":"4711-1","t_ms":9}
//	{"dir":"exit","key":"4711-1","t_ms":9.5,"code":0}
//
// A [Log] takes the entries of sessions. A [Session] wraps the pipes of a CLI: [Session.Reader] its
// input, [Session.Writer] its output.
package journal
