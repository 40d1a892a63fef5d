// Package conformance judges Claude Code CLIs and SDKs for them, from go test or from a program.
// Nothing of it needs a key or a network: a fake Messages API is the model of a CLI, and a
// simulated CLI is the claude of an SDK.
//
// # A CLI
//
// [Test] plays scenarios against a CLI, one subtest for each; a failure says what must hold, which
// step did not, and what passed between the two.
//
//	func TestCLI(t *testing.T) {
//		conformance.Test(t, conformance.NPM("latest"), nil)
//	}
//
// The scenarios are below conformance/scenarios, AREA/NAME.txtar, and -run TestCLI/AREA/NAME plays
// one of them. All of them take minutes with a CLI on disk, so give go test a -timeout, and seconds
// with the simulated one. A session must also keep the laws that hold in every session and, where
// the repository has a recording of the same version, be as recorded.
//
// # An SDK
//
// [TestSDK] plays the scenarios of conformance/sdk-scenarios with an SDK: a [Driver] is a few
// functions in Go, a [Command] a program in any language, a [Program] anything that sends one
// prompt.
//
//	func TestSDK(t *testing.T) {
//		conformance.TestSDK(t, conformance.Driver(&sdk), nil)
//	}
//
// The simulated CLI is the test program itself, started again; importing the package is all that
// this needs. So it is for tests and tools, not for programs that are shipped.
//
// # What counts
//
// A scenario that is for other versions, or for what an SDK does not have, is skipped, with the
// reason. A known failure is expected to fail: a listed scenario that passes is a failure, and so
// is a list that matches nothing. What fails by its time alone is played again, alone and with
// three times the time, and only that counts.
package conformance
