// Package clean says of a line, without the schemas, that they have nothing against it.
//
// It asks the strict decoder, which takes a line exactly if the closed form of the schemas does. It
// is many times faster, and the schemas are neither read nor compiled. A line that is not clean may
// still be fine: the schemas tell.
package clean

import (
	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/schema"
)

// Valid reports that a line is valid by the closed form of the schemas.
func Valid(dir schema.Direction, line []byte) bool { return Frame(dir, line) != nil }

// Quiet reports that a line is valid and that the lint has nothing to say of it.
func Quiet(dir schema.Direction, line []byte) bool { return IsQuiet(Frame(dir, line)) }

// IsQuiet is [Quiet] for what [Frame] has returned.
func IsQuiet(f wire.Frame) bool { return f != nil && quietContent(f) }

var strictly = &codec.Options{Strict: true, Alias: true}

// Frame returns the frame of a line that is [Valid], nil of any other. It holds parts of the line.
func Frame(dir schema.Direction, line []byte) wire.Frame {
	if len(line) > schema.MaxSize {
		return nil
	}
	f, err := wire.DecodeFrame(line, strictly)
	if err != nil || !writes(dir, f.Type()) {
		return nil
	}
	return f
}

// writes reports whether one end, or either, writes lines of a type that the decoder knows.
func writes(dir schema.Direction, name string) bool {
	switch dir {
	case schema.Either:
		return true
	case schema.FromCLI:
		switch name {
		case "bash_command", "queued_notification", "session_notice", "update_environment_variables", "workflow_launch":
			return false
		}
		return true
	}
	switch name {
	case "control_request", "control_response", "control_cancel_request", "bash_command", "keep_alive",
		"queued_notification", "session_notice", "update_environment_variables", "workflow_launch",
		"assistant", "system", "user":
		return true
	}
	return false
}

// quietContent reports whether the lint has nothing to say of an opaque value of which the schemas
// say what it holds. The decoder of the frame does not look inside it.
func quietContent(f wire.Frame) bool {
	request, ok := f.(*wire.ControlRequest)
	if !ok {
		return true
	}
	carrier, ok := request.Request.(*wire.MCPMessageRequest)
	return !ok || MCPMessage(carrier.Message) != nil
}

// MCPMessage returns a JSON-RPC message of which the lint has nothing to say, nil of any other.
func MCPMessage(raw codec.Raw) *wire.MCPMessage {
	var m wire.MCPMessage
	if raw == nil || m.UnmarshalJSON(raw) != nil || m.Extra != nil || m.Error != nil && m.Error.Extra != nil {
		return nil
	}
	return &m
}
