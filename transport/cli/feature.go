package cli

import "fmt"

// Feature is a part of the protocol that not every CLI has. Its text completes "too old for …".
type Feature string

const (
	// FeatureControl is the control protocol: can_use_tool over stdio, and interrupt.
	FeatureControl Feature = "the control protocol"
	// FeatureHooks is the initialize request and the hook callbacks that it registers.
	FeatureHooks Feature = "initialize and hooks"
	// FeatureMCP is the routing of MCP messages to servers in this process.
	FeatureMCP Feature = "in-process MCP servers"
	// FeatureUnknownSubtypeReply is an error reply to a control request of an unknown subtype. An
	// older CLI says nothing, so that only a timeout ends the request.
	FeatureUnknownSubtypeReply Feature = "replies to unknown control requests"
)

// since holds the first CLI version with each feature. Version 1.0.93 names mcp_message but 1.0.94
// is the first that was seen to serve it.
var since = map[Feature]Version{
	FeatureControl:             {1, 0, 59},
	FeatureHooks:               {1, 0, 85},
	FeatureMCP:                 {1, 0, 94},
	FeatureUnknownSubtypeReply: {2, 1, 40},
}

// Since returns the first CLI version that has the feature, the zero Version for a feature that is
// not one of the constants.
func (f Feature) Since() Version { return since[f] }

// Require returns an [*UnsupportedVersionError] for the first of the features that v lacks. An
// unknown version lacks nothing: what it cannot do, it will show.
func (v Version) Require(features ...Feature) error {
	if v.IsZero() {
		return nil
	}
	for _, f := range features {
		if !v.AtLeast(f.Since()) {
			return &UnsupportedVersionError{Version: v, Minimum: f.Since(), Feature: f}
		}
	}
	return nil
}

// UnsupportedVersionError says that the CLI is too old for a feature that the caller needs.
type UnsupportedVersionError struct {
	Version Version // zero if the CLI showed it otherwise, by refusing a flag for example
	Minimum Version
	Feature Feature
}

func (e *UnsupportedVersionError) Error() string {
	version := e.Version.String()
	if e.Version.IsZero() {
		version = "(version unknown)"
	}
	return fmt.Sprintf("Claude Code CLI %s is too old for %s, which needs %s or newer; %s", version, e.Feature, e.Minimum, installHint)
}
