// Package fault makes a CLI misbehave on request, so that an SDK can be tested against it.
//
// A fault is written NAME[=VALUE][@WHERE]: what goes wrong, how much of it, and at which line. The
// names are the rows of [Table].
//
//	noise                    text that is not JSON, before the first line
//	noise@result             the same before the first result
//	split=10@assistant#2     the second assistant line comes in two writes, ten bytes in the first
//	exit=3@system/init       the process ends with code 3 where system/init would have been
//
// WHERE is the kind of a line: its type, and after a slash its subtype, that of its request, or
// the subtype of the request that it answers: control_request/can_use_tool,
// control_response/initialize. "line" is any line. "#N" means the Nth such line, "#*" each of them;
// without it, the first.
//
// An [Injector] stands between a CLI and its pipes. What the CLI writes passes through it line by
// line, and so does what the CLI reads, because some faults need to know what was asked.
package fault
