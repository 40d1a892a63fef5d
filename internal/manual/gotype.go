package manual

import (
	"path"
	"strings"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/schema"
)

// A place is where the Go type of a definition is, if that is no file named after the area.
type place struct{ name, file string }

// elsewhere are the definitions whose Go type has another name or is in another file; both are ""
// for what is only read into other types, or is a string in them.
var elsewhere = map[string]place{
	"control/can_use_tool.json#/$defs/Response":             {"PermissionResult", "permission_gen.go"},
	"control/hook_callback.json#/$defs/Response":            {"HookOutput", "hook_gen.go"},
	"control/request_user_dialog.json#/$defs/Unknown":       {"UnknownRequestUserDialogResponse", "control_gen.go"},
	"envelope/control_request.json#/$defs/Unknown":          {"UnknownRequest", "envelope_gen.go"},
	"envelope/control_response.json#/$defs/Unknown":         {"UnknownResponse", "envelope_gen.go"},
	"envelope/from_cli.json":                                {"Frame", "envelope_gen.go"},
	"envelope/from_cli.json#/$defs/Unknown":                 {"UnknownFrame", "envelope_gen.go"},
	"envelope/from_sdk.json":                                {"Frame", "envelope_gen.go"},
	"envelope/from_sdk.json#/$defs/Unknown":                 {"UnknownFrame", "envelope_gen.go"},
	"hook/PermissionRequest.json#/$defs/Unknown":            {"UnknownPermissionRequestDecision", "hook_gen.go"},
	"legacy/control_request_wrapped.json":                   {},
	"legacy/control_response_flat.json":                     {},
	"legacy/control_response_flat.json#/$defs/Response":     {},
	"legacy/control_response_untagged.json":                 {},
	"legacy/control_response_untagged.json#/$defs/Response": {},
	"legacy/user_flat.json":                                 {},
	"message/result.json":                                   {"Result", "result.go"},
	"message/system.json":                                   {},
	"message/system.json#/$defs/Unknown":                    {"UnknownSystem", "system.go"},
	"permission/update.json#/$defs/LegacyName":              {},
	"permission/update.json#/$defs/LegacyUntyped":           {},
	"shared/agent_id.json":                                  {},
	"shared/agent_type.json":                                {},
	"shared/cwd.json":                                       {},
	"shared/prompt_id.json":                                 {},
	"shared/session_id.json":                                {},
	"shared/timing.json":                                    {},
	"shared/timing_detail.json":                             {},
	"shared/tool_name.json":                                 {},
	"shared/tool_use_id.json":                               {},
	"shared/transcript_path.json":                           {},
	"shared/uuid.json":                                      {},
}

// goType returns the Go type of a definition and the file that has it, both "" if there is none.
func goType(names *naming.Namer, set *schema.Set, d *schema.Definition) (place, error) {
	if p, ok := elsewhere[d.Name()]; ok {
		return p, nil
	}
	file := path.Dir(d.File) + "_gen.go"
	if root, ok := strings.CutSuffix(d.Name(), "#/$defs/Unknown"); ok {
		union, err := names.Definition(set.Lookup(root))
		return place{"Unknown" + union, file}, err
	}
	name, err := names.Definition(d)
	return place{name, file}, err
}
