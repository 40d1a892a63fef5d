// Package drivers runs the official SDKs: it records sessions that they drive, so that the corpus
// has what these make the CLI say, and what they say themselves; and it tests the simulated CLI
// with them.
//
// A program in TypeScript (node/sessions.mjs) and one in Python (python/sessions.py) play the same
// sessions with the real CLI and the fake Messages API. The path that they give their SDK is the
// test program itself, which runs the CLI and notes what passes in both directions. The SDKs are
// pinned, and installed by npm and pip into the user's cache or LANGUAGES_CACHE.
//
//	go test -tags live -run Live ./internal/conformance/drivers            plays the sessions
//	go test -tags live -run Live ./internal/conformance/drivers -update    and records them
//
// The recordings are transcripts/VERSION/sdk-*.ndjson of package recordings. A session that shows
// nothing beyond the scenarios is played and judged, and not kept.
//
// The tests of the SDKs against the simulated CLI are node/*.test.mjs and python/test_*.py. The
// ones that are named greeting are in docs/simulated.md.
package drivers
