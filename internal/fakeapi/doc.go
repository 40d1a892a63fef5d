// Package fakeapi is a Messages API that says what a script tells it to.
//
// It listens on loopback and speaks enough of the API for the real Claude Code CLI to run offline,
// without a key, and to get the same answers every time. [Server.Env] is the environment for that.
//
//	script, err := fakeapi.ParseScript([]byte(`{"turns": [
//		{"content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "a.txt", "content": "hi"}}]},
//		{"text": "Written."}
//	]}`))
//	srv, err := fakeapi.Start(ctx, script)
//	defer srv.Close()
//	cmd := exec.Command("claude", "-p", "write a file", "--permission-mode", "acceptEdits")
//	cmd.Env = srv.Env(t.TempDir())
//
// Package conformance/fakeapi is the door to it, and says which turn answers which request, what a
// CLI retries, how ids are made and what is recorded.
//
// # Routes
//
// POST /v1/messages answers with server-sent events when the request says "stream": true, with one
// JSON message otherwise. POST /v1/messages/count_tokens answers with a fixed number. Any other
// HEAD is answered with 200 and no body, everything else with a 404 in the API's error shape. A
// body that is not a valid request gets a 400, one larger than [MaxRequestBytes] a 413.
//
// # Without HTTP
//
// A [Stage] is the same model for a client in the same process, which asks it by [Stage.Ask] and
// plays the answer, a [Scene], itself.
//
// # Ends
//
// [Server.Close] ends held streams, closes connections and returns when no goroutine of the server
// is left but those that have nothing more to do than return. The server also closes when the
// context given to [Start] ends.
package fakeapi
