// Package fakeapi is a Messages API that says what a script tells it to.
//
// It listens on loopback and speaks enough of the API for the real Claude Code CLI to run offline,
// without a key, and to get the same answers every time. [Server.Env] is the environment for that.
//
//	api, err := fakeapi.Start(ctx, []byte(`{"turns": [
//		{"content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "a.txt", "content": "hi"}}]},
//		{"text": "Written."}
//	]}`), nil)
//	defer api.Close()
//	cmd := exec.Command("claude", "-p", "write a file", "--permission-mode", "acceptEdits")
//	cmd.Env = api.Env(t.TempDir())
//
// A script is JSON; docs/fakeapi.md describes it. "protogen api" is this package as a command. A
// test that has no need of the real CLI is better off with the simulated one, in package sim, which
// plays the same scripts.
//
// # Which turn answers which request
//
// A request comes from the main conversation, from a subagent, or from the CLI itself, which asks
// for a title, for one. A request that offers the model no tool, and that is not marked as a
// conversation, counts as one of the CLI itself, unless the script has "no_helpers": true.
//
//  1. A turn with "match" answers the first request that fits it, wherever that comes from.
//  2. The turns without one answer the main conversation, in their order.
//  3. A subagent that no turn matches gets the text "done", a call of the CLI itself
//     {"title":"helper"}. Neither takes a turn.
//  4. A main conversation that goes on after the last turn gets the text "done"; [Request.Answer]
//     says so.
//
// A turn answers one request unless its "times" says otherwise. Some requests of the CLI look like
// the main conversation and do take turns: a side question (match its text) and a compaction (the
// CLI asks a second time when the answer has no <summary> element).
//
// # Errors and retries
//
// A CLI that retries after an error asks again, and so takes the next turn, unless the first one
// has "retries". How often it does differs by status and version. CLI 2.1.325 retries 401, 429, 500
// and lost connections with growing pauses (an answer with the header x-should-retry: false
// prevents it), gives up at the third 529, and sends a 400 again at once with one feature less, six
// requests in all, whatever the header says. A failed turn may leave no answer in the conversation;
// then the next user message comes merged with the one before, and both texts match.
//
// # Identifiers
//
// The message of turn 1 is msg_0001, its second block's tool use toolu_0001_1: numbers come from
// the script, not from the order of arrival. When a turn answers again, the second time is
// msg_0001r2 and toolu_0001r2_1. A block that has an id of its own keeps it.
//
// # What is recorded
//
// [Server.Requests] returns a summary of each request: counts, short texts of the conversation,
// tool results. System prompts, tool descriptions, system reminders, long texts and the texts of
// what the CLI asks for itself are never kept. [Server.Wait] waits for a state of that record, so
// that no test has to sleep.
package fakeapi
