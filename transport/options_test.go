package transport

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
)

func TestSessionArguments(t *testing.T) {
	base := []string{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json"}
	mode := []string{"--permission-mode=default"}
	server := map[string]MCPServer{"srv": echoServer}
	tests := []struct {
		name    string
		opts    *Options
		version Version
		want    []string
	}{
		{"nil", nil, Version{}, append(base[:5:5], mode...)},
		{"permission mode is explicit", &Options{Flags: Flags{PermissionMode: "plan"}}, Version{}, append(base[:5:5], "--permission-mode=plan")},
		{"flags and further arguments", &Options{Flags: Flags{Model: "m"}, Args: []string{"--debug"}}, Version{}, append(base[:5:5], "--model=m", "--permission-mode=default", "--debug")},
		{"permission callback", &Options{CanUseTool: allow}, Version{}, append(append(base[:5:5], "--permission-prompt-tool", "stdio"), mode...)},
		{"stream", &Options{Stream: true}, Version{Major: 1, Minor: 0, Patch: 109}, append(append(base[:5:5], "--include-partial-messages"), mode...)},
		{"stream of an unknown CLI", &Options{Stream: true}, Version{}, append(append(base[:5:5], "--include-partial-messages"), mode...)},
		{"stream of an old CLI", &Options{Stream: true}, Version{Major: 1, Minor: 0, Patch: 108}, append(base[:5:5], mode...)},
		{"transcript", &Options{OnTranscript: func(*wire.TranscriptMirror) {}}, Version{}, append(base[:5:5], "--permission-mode=default", "--session-mirror")},
		{"plugins of initialize", &Options{Initialize: &wire.InitializeRequest{Plugins: []wire.PluginConfig{{Path: "p"}}}}, Version{}, append(append(base[:5:5], "--await-initialize"), mode...)},
		{"plugins of initialize, and the flag", &Options{Initialize: &wire.InitializeRequest{Plugins: []wire.PluginConfig{{Path: "p"}}}, Args: []string{"--await-initialize"}}, Version{}, append(append(base[:5:5], mode...), "--await-initialize")},
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
	o := &Options{Env: []string{"A=1"}, CleanEnv: true, FileCheckpointing: true}
	if diff := cmp.Diff([]string{"A=1", "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1"}, o.environ()); diff != "" {
		t.Error(diff)
	}
}

func TestQuestionPreviewIsAnEnvironmentVariable(t *testing.T) {
	o := &Options{CleanEnv: true, QuestionPreview: "html"}
	if diff := cmp.Diff([]string{"CLAUDE_CODE_QUESTION_PREVIEW_FORMAT=html"}, o.environ()); diff != "" {
		t.Error(diff)
	}
}

func TestPermissionsAreAskedForInOnePlace(t *testing.T) {
	o := &Options{CanUseTool: allow, Flags: Flags{PermissionPromptTool: "mcp__a__b"}}
	if err := o.validate(); err == nil || !strings.Contains(err.Error(), "PermissionPromptTool") {
		t.Errorf("validate: %v", err)
	}
}

func TestEnvIsAddedToThatOfThisProcess(t *testing.T) {
	t.Setenv("CCWIRE_TEST_KEPT", "kept")
	t.Setenv("CCWIRE_TEST_OLD", "old")
	o := &Options{Env: []string{"CCWIRE_TEST_OLD=new", "CCWIRE_TEST_TWICE=1", "CCWIRE_TEST_TWICE=2", "CCWIRE_TEST_EMPTY="}}
	values := map[string][]string{}
	for _, entry := range o.environ() {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "CCWIRE_TEST_") {
			values[name] = append(values[name], value)
		}
	}
	want := map[string][]string{"CCWIRE_TEST_KEPT": {"kept"}, "CCWIRE_TEST_OLD": {"new"}, "CCWIRE_TEST_TWICE": {"2"}, "CCWIRE_TEST_EMPTY": {""}}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Error(diff)
	}
	o.CleanEnv = true
	if diff := cmp.Diff([]string{"CCWIRE_TEST_OLD=new", "CCWIRE_TEST_TWICE=2", "CCWIRE_TEST_EMPTY="}, o.environ()); diff != "" {
		t.Error(diff)
	}
	if env := (&Options{CleanEnv: true}).environ(); env == nil || len(env) != 0 {
		t.Errorf("the empty environment is %#v", env)
	}
}

func TestOptionsSelectTheMode(t *testing.T) {
	tests := []struct {
		name string
		opts *Options
		want bool
	}{
		{"nil", nil, false},
		{"nothing", &Options{Flags: Flags{Model: "m"}, FileCheckpointing: true}, false},
		{"hooks", &Options{Hooks: preToolUse(hookNothing)}, true},
		{"permission callback", &Options{CanUseTool: allow}, true},
		{"MCP server", &Options{MCPServers: map[string]MCPServer{"a": echoServer}}, true},
		{"elicitation", &Options{Elicitation: func(context.Context, *wire.ElicitationRequest) (*wire.ElicitationResponse, error) { return nil, nil }}, true},
		{"dialogs", &Options{UserDialog: func(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
			return nil, nil
		}}, true},
		{"members of initialize", &Options{Initialize: &wire.InitializeRequest{}}, true},
	}
	for _, test := range tests {
		if got := test.opts.Bidirectional(); got != test.want {
			t.Errorf("%s: bidirectional is %v", test.name, got)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	hook := func(event string, h Hook) Options {
		h.Callbacks = []HookFunc{hookNothing}
		return Options{Hooks: map[string][]Hook{event: {h}}}
	}
	tests := []struct {
		name string
		opts Options
		says []string
	}{
		{"hook without a callback", Options{Hooks: map[string][]Hook{"Stop": {{}}}}, []string{"Stop", "no callback"}},
		{"nil callback", Options{Hooks: preToolUse(nil)}, []string{"PreToolUse", "no callback"}},
		{"unknown event", hook("PreToolUs", Hook{}), []string{"PreToolUs:", "PreToolUse", "NewEvent"}},
		{"event in another case", hook("preToolUse", Hook{}), []string{"preToolUse:", "no such event"}},
		{"matcher", hook("PreToolUse", Hook{Matcher: "Bash("}), []string{"PreToolUse", `"Bash("`, "a group is not closed"}},
		{"matcher of a new event", hook("Brand", Hook{Matcher: "[a", NewEvent: true}), []string{"Brand", `"[a"`, "not closed"}},
		{"dialogs of no kind", Options{UserDialog: func(context.Context, *wire.RequestUserDialogRequest) (wire.RequestUserDialogResponse, error) {
			return nil, nil
		}}, []string{"SupportedDialogKinds"}},
		{"nil server", Options{MCPServers: map[string]MCPServer{"a": nil}}, []string{`"a"`}},
		{"hooks of one's own", Options{Initialize: &wire.InitializeRequest{Hooks: codec.Null[map[string][]wire.HookMatcher]()}}, []string{"Options.Hooks"}},
		{"servers of one's own", Options{Initialize: &wire.InitializeRequest{SDKMCPServers: []string{"a"}}}, []string{"Options.MCPServers"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Open(t.Context(), &test.opts)
			if err == nil {
				t.Fatal("accepted")
			}
			for _, want := range test.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error does not say %q: %v", want, err)
				}
			}
		})
	}
	for _, o := range []Options{hook("Brand", Hook{NewEvent: true}), hook("PreToolUse", Hook{Matcher: "(?!Bash).*"})} {
		if err := o.withDefaults().validate(); err != nil {
			t.Error(err)
		}
	}
}
