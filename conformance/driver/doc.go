// Package driver lets the conformance suite drive an SDK that is written in Go. Whoever wrote the
// SDK says how a session is opened, prompted, read and closed; the package does the rest: it speaks
// with the suite, and has the callbacks that a scenario wants.
//
//	sdk := driver.SDK{
//		Name:     "example",
//		Features: []string{driver.CanUseTool},
//		Open: func(ctx context.Context, o *driver.Options) (driver.Session, error) {
//			return open(ctx, o.CLI, o.Dir, o.Env, o.CanUseTool)
//		},
//	}
//
// conformance.TestSDK judges it in a test, in the process of that test. [SDK.Main] makes a program
// of it, for "protogen conform sdk --driver".
//
// # Rules
//
// A driver adds nothing to its SDK and repairs nothing: no time limit, no retry, no default of its
// own. What the options do not name is left to the SDK; a callback that is nil is not registered.
// An error of the SDK is returned as it is. Methods of a session are called at the same time if the
// scenario wants that: an interrupt during a read, a prompt while a callback hangs.
//
// docs/drivers.md describes what each scenario may ask for.
package driver
