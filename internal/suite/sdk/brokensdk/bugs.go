package brokensdk

import (
	"slices"
	"sync"
)

// Bug is one thing that the SDK does wrong.
type Bug struct {
	Name string
	Kind int // of the kinds of bugs that were seen in published SDKs
	What string
}

// Bugs are the bugs, by kind.
var Bugs = []Bug{
	{"noise-kills", 1, "a line that is not JSON ends the session"},
	{"allow-without-input", 2, "an allow has no updatedInput unless the callback gives one"},
	{"permissions-wrong-key", 2, "updated permissions are sent as updated_permissions"},
	{"suggestions-wrong-key", 2, "suggestions are read from the member suggestions"},
	{"allow-by-default", 3, "without a permission callback everything is allowed"},
	{"nil-allows", 3, "a permission callback that returns nothing allows"},
	{"panic-silent", 3, "a callback that panics is not answered"},
	{"continue-dropped", 4, "continue false is left out of a hook's output"},
	{"event-as-another", 4, "a hook of an unknown event is delivered as PreToolUse"},
	{"silent-on-unknown", 5, "a request of an unknown subtype is not answered"},
	{"cancel-kills", 6, "a control_cancel_request is a parse error, which ends the session"},
	{"cancel-ignored", 6, "a control_cancel_request is skipped"},
	{"cancel-wrong-direction", 6, "a control_cancel_request is taken for one of the SDK's own requests"},
	{"reply-after-cancel", 6, "a request that was cancelled is answered all the same"},
	{"invented-acknowledgement", 6, "a cancellation is acknowledged with a line of its own"},
	{"duplicate-panics", 7, "a second response to a request is a panic"},
	{"late-slot", 8, "who waits for a response is noted after the request was written"},
	{"initialize-before-reading", 9, "initialize is waited for by the one who reads"},
	{"prompt-before-reading", 9, "stdout is read only while something of it is waited for"},
	{"pending-hang", 10, "what waits does not end when the CLI does"},
	{"tail-lost", 11, "when the process has ended, nothing more is read"},
	{"short-lines", 12, "a line over 1 MiB ends the session"},
	{"lines-64k", 12, "a line over 64 KiB ends the session"},
	{"byte-counter", 12, "more than 10 MiB in all end the session"},
	{"one-reader", 13, "a hundred unread messages stop the one reader"},
	{"stdin-closed-after-result", 14, "stdin is closed after the first result"},
	{"cuts-at-64k", 15, "a part of a long line is lost"},
	{"decodes-chunks", 15, "a character that is cut by the end of a read is lost"},
	{"splits-at-separators", 15, "U+2028 ends a line"},
	{"blank-kills", 15, "a blank line with a carriage return ends the session"},
	{"suggestions-as-strings", 16, "suggestions are decoded as strings"},
	{"invented-wire", 17, "initialize has members that the protocol does not have"},
	{"stderr-unread", 18, "stderr is a pipe that nobody reads"},
	{"stderr-lines-64k", 18, "after a line over 64 KiB nothing more of stderr is read"},
	{"unread-dropped", 19, "messages that nobody has read yet are lost when the CLI fails"},
	{"permission-blocks-reader", 20, "nothing is read while a permission callback runs"},
	{"hook-blocks-reader", 20, "nothing is read while a hook runs"},
	{"tool-blocks-reader", 20, "nothing is read while a tool runs"},
	{"start-context-kills", 21, "the end of the context that was given to start ends the session"},
	{"sessions-share-messages", 22, "messages of every session go to the one that was started last"},
	{"sessions-share-callbacks", 22, "callbacks of every session are those of the one that was started last"},
	{"sessions-share-close", 22, "to close one session closes all"},
	{"allowed-tools-dropped", 23, "allowed tools are not passed to the CLI"},
	{"disallowed-tools-dropped", 23, "disallowed tools are not passed to the CLI"},
	{"path-ignored", 24, "the CLI is taken from PATH, whatever path was given"},
	{"tool-results-kill", 25, "a user message that has a list of blocks is a parse error, which ends the session"},
}

// reached has the names of the bugs that could have made a difference.
var reached sync.Map

// Reached returns the bugs that this process has come by: each would have made a difference, if the
// SDK had it. An SDK with another bug than these behaves as one that has none.
func Reached() (names []string) {
	reached.Range(func(name, _ any) bool {
		names = append(names, name.(string))
		return true
	})
	slices.Sort(names)
	return names
}

// has reports whether the SDK has a bug. It is called where that makes a difference.
func (c *client) has(bug string) bool {
	reached.Store(bug, true)
	return c.bug == bug
}

// Known reports whether there is a bug of that name.
func Known(name string) bool {
	return slices.ContainsFunc(Bugs, func(b Bug) bool { return b.Name == name })
}
