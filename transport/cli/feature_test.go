package cli

import (
	"errors"
	"testing"
)

func TestRequireNamesTheFirstMissingFeature(t *testing.T) {
	tests := []struct {
		name    string
		version Version
		needs   []Feature
		lacks   Feature
	}{
		{"before control", Version{1, 0, 58}, []Feature{FeatureControl}, FeatureControl},
		{"control", Version{1, 0, 59}, []Feature{FeatureControl}, ""},
		{"before hooks", Version{1, 0, 84}, []Feature{FeatureControl, FeatureHooks, FeatureMCP}, FeatureHooks},
		{"hooks", Version{1, 0, 85}, []Feature{FeatureHooks}, ""},
		{"before MCP", Version{1, 0, 93}, []Feature{FeatureHooks, FeatureMCP}, FeatureMCP},
		{"MCP", Version{1, 0, 94}, []Feature{FeatureMCP}, ""},
		{"before error replies", Version{2, 1, 39}, []Feature{FeatureUnknownSubtypeReply}, FeatureUnknownSubtypeReply},
		{"error replies", Version{2, 1, 40}, []Feature{FeatureUnknownSubtypeReply}, ""},
		{"old, but nothing is needed", Version{0, 2, 0}, nil, ""},
		{"unknown", Version{}, []Feature{FeatureControl, FeatureMCP}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.version.Require(test.needs...)
			if test.lacks == "" {
				if err != nil {
					t.Errorf("error = %v", err)
				}
				return
			}
			var unsupported *UnsupportedVersionError
			if !errors.As(err, &unsupported) {
				t.Fatalf("error = %v", err)
			}
			want := UnsupportedVersionError{Version: test.version, Minimum: test.lacks.Since(), Feature: test.lacks}
			if *unsupported != want {
				t.Errorf("error = %+v, want %+v", *unsupported, want)
			}
		})
	}
}

func TestUnsupportedVersionErrorSaysWhatToDo(t *testing.T) {
	tests := []struct {
		err  UnsupportedVersionError
		want string
	}{
		{UnsupportedVersionError{Version{1, 0, 45}, Version{1, 0, 85}, FeatureHooks},
			`Claude Code CLI 1.0.45 is too old for initialize and hooks, which needs 1.0.85 or newer; install it with "npm install -g @anthropic-ai/claude-code"`},
		{UnsupportedVersionError{Version{}, Version{1, 0, 59}, FeatureControl},
			`Claude Code CLI (version unknown) is too old for the control protocol, which needs 1.0.59 or newer; install it with "npm install -g @anthropic-ai/claude-code"`},
	}
	for _, test := range tests {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}
