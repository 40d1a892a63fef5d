package wire_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
)

func TestTheInputsOfAllHooksHaveWhatIsCommon(t *testing.T) {
	seen := 0
	eachExample(t, func(definition string, example []byte, decoded *wire.Decoded) {
		input, ok := arm(decoded.Value).(wire.HookInput)
		if !ok || !strings.HasPrefix(definition, "hook/") {
			return
		}
		seen++
		text := func(name string) string {
			s, _ := wire.Raw(example).Find("/" + name).Text()
			return s
		}
		want := wire.HookCommon{SessionID: text("session_id"), TranscriptPath: text("transcript_path"), CWD: text("cwd"), PermissionMode: wire.PermissionMode(text("permission_mode"))}
		if diff := cmp.Diff(want, input.Common()); diff != "" {
			t.Errorf("%s: %s", definition, diff)
		}
	})
	if seen < 30 {
		t.Errorf("only %d inputs", seen)
	}
	unknown, err := wire.DecodeHookInput([]byte(`{"hook_event_name":"New","session_id":"s","cwd":"/","permission_mode":"plan"}`), nil)
	if diff := cmp.Diff(wire.HookCommon{SessionID: "s", CWD: "/", PermissionMode: wire.PermissionModePlan}, unknown.Common()); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
