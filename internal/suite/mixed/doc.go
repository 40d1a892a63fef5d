// Package mixed makes long sessions in which many things happen in a random order.
//
// A scenario of the suite shows one thing; the sessions of people have many, one after the other.
// [New] puts such a session together out of blocks: a turn with tools, an interrupt, a change of
// the model, a slash command and so on, with hooks of all events, an MCP server of the SDK,
// streamed messages and mirrored transcripts. The number that it is given decides everything, so a
// session can be made again.
//
// No block waits for time, and none leaves a turn behind that runs into the next one.
package mixed
