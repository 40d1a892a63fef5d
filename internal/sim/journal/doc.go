// Package journal writes down what passes through a session: every line of both directions with its
// time, how the CLI was started, and how it ended.
//
// A journal is a file of one JSON object per line, in the format of recordings (docs/recordings.md)
// with times, so that the tools for those read it. Several sessions may follow each other in one
// file: each begins with its header.
//
//	{"dir":"header","t_ms":0,"time":"2026-11-16T10:00:00Z","version":"2.1.325","args":["--verbose"],"cwd":"/work","env":{"CLAUDE_CODE_ENTRYPOINT":"sdk-py"}}
//	{"dir":"sdk->cli","t_ms":1.25,"line":"{\"type\":\"user\",…}"}
//	{"dir":"cli->sdk","t_ms":1.5,"line":"{\"type\":\"system\",…}"}
//	{"dir":"sdk-eof","t_ms":9}
//	{"dir":"exit","t_ms":9.5,"code":0}
//
// A [Log] wraps the pipes of a CLI: [Log.Reader] its input, [Log.Writer] its output.
package journal
