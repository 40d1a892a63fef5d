// Package exchange tells which request a control_response answers, and judges the body of the
// answer by what was asked.
//
// [Read] finds what a control line says of an exchange. A [Book] remembers requests and finds the
// one that a reply is for, by the rule of [recording.Pick]. A [Subject] is what was asked; it knows
// the definition of its answers, and what the schemas cannot say: that a hook's output is for the
// event that the hook was called for, and that an MCP server answers the message that it got.
package exchange
