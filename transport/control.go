package transport

import (
	"context"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

// The methods below are the control operations that most programs need, without what few do. Those
// of [wire.Client] with the same names take the whole request: s.Client.Interrupt.

// Interrupt ends the turn that runs. Its result says so: see [Interrupted].
func (s *Session) Interrupt(ctx context.Context) error {
	_, err := s.Client.Interrupt(ctx, &wire.InterruptRequest{})
	return err
}

// SetModel makes the session go on with another model, an empty name with the one that the CLI
// would take by itself.
func (s *Session) SetModel(ctx context.Context, model string) error {
	r := &wire.SetModelRequest{}
	if model != "" {
		r.Model = codec.Some(model)
	}
	_, err := s.Client.SetModel(ctx, r)
	return err
}

// SetPermissionMode changes how the CLI decides on tools.
func (s *Session) SetPermissionMode(ctx context.Context, mode wire.PermissionMode) error {
	_, err := s.Client.SetPermissionMode(ctx, &wire.SetPermissionModeRequest{Mode: mode})
	return err
}

// MCPStatus returns the MCP servers and how they are.
func (s *Session) MCPStatus(ctx context.Context) ([]wire.MCPServerStatus, error) {
	r, err := s.Client.MCPStatus(ctx, &wire.MCPStatusRequest{})
	if err != nil {
		return nil, err
	}
	return r.MCPServers, nil
}

// StopTask ends a task in the background, such as a command or a subagent.
func (s *Session) StopTask(ctx context.Context, id string) error {
	_, err := s.Client.StopTask(ctx, &wire.StopTaskRequest{TaskID: id})
	return err
}

// RewindFiles puts the files back that were changed since a user message, which is named by its
// uuid. The session needs [Options.FileCheckpointing].
func (s *Session) RewindFiles(ctx context.Context, message string) (*wire.RewindFilesResponse, error) {
	return s.Client.RewindFiles(ctx, &wire.RewindFilesRequest{UserMessageID: message})
}
