// Package scoreboard runs the official SDKs: it records sessions that they drive, so that the
// corpus has what these make the CLI say, and what they say themselves; it tests the simulated CLI
// with them; and it judges them, and our own transport, by the scenarios for SDKs.
//
// # Sessions
//
// A program in TypeScript (node/sessions.mjs) and one in Python (python/sessions.py) play the same
// sessions with the real CLI and the fake Messages API. The path that they give their SDK is the
// test program itself, which runs the CLI and notes what passes in both directions. The SDKs are
// pinned, and installed by npm and pip into the user's cache or LANGUAGES_CACHE.
//
//	go test -tags live -run Live ./internal/scoreboard            plays the sessions
//	go test -tags live -run Live ./internal/scoreboard -update    and records them
//
// The recordings are conformance/recordings/sessions/VERSION/sdk-*.ndjson. A session that shows
// nothing beyond the scenarios is played and judged, and not kept.
//
// # The simulated CLI
//
// The tests of the SDKs against the simulated CLI are node/*.test.mjs and python/test_*.py. The
// ones that are named greeting are in docs/simulated.md. Those that are named hooks raise each hook
// event of an SDK in one session, with the script and the project in the folder hooks, and run
// against the real CLI too.
//
// # Judgement
//
// node/driver.mjs and python/driver.py are the halves of drivers for protogen conform sdk that
// know the SDK; the other halves are conformance/driver/kit. Package ccwire is the driver of our
// transport. The known failures of an SDK are in known-failing.txt beside its driver, each with
// what was seen; meanings.txt tells what a failure means for users. The results of the last run
// that was written down are in scores.json, docs/sdks.md is made of these.
//
//	go test -tags live -run LiveSDKsAreJudged ./internal/scoreboard    judges them
//	make scoreboard                                                             and writes the results
//
// # History
//
// Releases of the official SDKs and SDKs by others are judged too, these by the drivers in the
// folder others. What came of that is in history.json, and in docs/sdks.md.
//
//	make history                                           judges them all, and writes the results
//	make history ONLY=claude-agent-sdk-typescript@0.2.37   judges one, and shows what it fails
package scoreboard
