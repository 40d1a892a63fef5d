// Package sdk judges an SDK: it plays scenarios with a simulated CLI and says which hold.
//
// [Run] starts, for each [Scenario], the [Subject]: a driver, which uses the SDK as it is
// told and reports what the API gave, or any program that sends one prompt, which is judged on the
// wire alone. The CLI that the subject is given is a simulated one. Its journal, which is read
// while it is written, has everything that passes on the wire.
//
// A scenario is a txtar file, described in docs/sdk-scenarios.md. [Parse] rejects what it does not
// know. Beside the steps, every line that an SDK writes is checked: it must be JSON, fit the
// schemas in their open form, and answer what was asked, once.
package sdk
