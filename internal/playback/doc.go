// Package playback plays one half of a recording to a peer: what the SDK wrote to a CLI, or what
// the CLI wrote to an SDK.
//
// Lines are sent as they are in the recording, in their order, whoever edited it. Before each one a
// [Player] waits until the peer has come as far as it was in the recording: an answer waits for its
// request, any other line for as many of the lines before it as there were. A peer that is quiet
// for too long goes another way; the line is sent then, and the player says so.
//
// Ids that the peer made up are others than in the recording. Those of requests that are answered,
// of sessions, messages and uses of tools become those of the peer.
package playback
