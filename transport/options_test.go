package transport

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

func TestSessionArguments(t *testing.T) {
	base := []string{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json"}
	mode := []string{"--permission-mode", "default"}
	server := map[string]MCPHandler{"srv": echoServer}
	tests := []struct {
		name    string
		opts    *Options
		version Version
		want    []string
	}{
		{"nil", nil, Version{}, append(base[:5:5], mode...)},
		{"permission mode is explicit", &Options{PermissionMode: wire.PermissionModePlan}, Version{}, append(base[:5:5], "--permission-mode", "plan")},
		{"model and further arguments", &Options{Model: "m", Args: []string{"--debug"}}, Version{}, append(append(base[:5:5], mode...), "--model", "m", "--debug")},
		{"permission callback", &Options{CanUseTool: allow}, Version{}, append(append(base[:5:5], "--permission-prompt-tool", "stdio"), mode...)},
		{"MCP server", &Options{MCPServers: server}, Version{Major: 2, Minor: 1, Patch: 325}, append(base[:5:5], mode...)},
		{"MCP server of an unknown CLI", &Options{MCPServers: server}, Version{}, append(base[:5:5], mode...)},
		{"MCP server of an old CLI", &Options{MCPServers: server}, Version{Major: 1, Minor: 0, Patch: 127}, append(append(base[:5:5], "--mcp-config", `{"mcpServers":{"srv":{"type":"sdk","name":"srv"}}}`), mode...)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.opts.withDefaults().sessionArgs(test.version)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFileCheckpointingIsAnEnvironmentVariable(t *testing.T) {
	env := []string{"A=1"}
	if got := (&Options{Env: env}).environ(); !cmp.Equal(got, env) {
		t.Errorf("environment = %q", got)
	}
	if got := (&Options{}).environ(); got != nil {
		t.Errorf("environment = %q", got)
	}
	if got := (&Options{Env: env, FileCheckpointing: true}).environ(); !cmp.Equal(got, []string{"A=1", "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1"}) {
		t.Errorf("environment = %q", got)
	}
	if got := (&Options{FileCheckpointing: true}).environ(); len(got) < 2 {
		t.Errorf("environment = %q, want that of this process too", got)
	}
}

func TestOptionsSelectTheMode(t *testing.T) {
	tests := []struct {
		name string
		opts *Options
		want bool
	}{
		{"nil", nil, false},
		{"nothing", &Options{Model: "m", FileCheckpointing: true}, false},
		{"hooks", &Options{Hooks: preToolUse(hookNothing)}, true},
		{"permission callback", &Options{CanUseTool: allow}, true},
		{"MCP server", &Options{MCPServers: map[string]MCPHandler{"a": echoServer}}, true},
	}
	for _, test := range tests {
		if got := test.opts.Bidirectional(); got != test.want {
			t.Errorf("%s: bidirectional is %v", test.name, got)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	tests := []struct {
		name string
		opts Options
	}{
		{"hook without a callback", Options{Hooks: map[string][]Hook{"Stop": {{}}}}},
		{"nil callback", Options{Hooks: preToolUse(nil)}},
		{"nil server", Options{MCPServers: map[string]MCPHandler{"a": nil}}},
		{"hooks of one's own", Options{Initialize: &wire.InitializeRequest{Hooks: codec.Null[map[string][]wire.HookMatcher]()}}},
		{"servers of one's own", Options{Initialize: &wire.InitializeRequest{SDKMCPServers: []string{"a"}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Open(t.Context(), &test.opts); err == nil {
				t.Error("accepted")
			}
		})
	}
}
