// Package typings reads the inventory of what the typings published with the CLI's SDK name:
// members, whether they are required, and their JSON kinds. The inventory is in schema/testdata.
package typings

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// File is where the inventory is, from the root of the module.
const File = "schema/testdata/inventory.json"

// An Inventory has members by section, entry and name.
type Inventory map[string]map[string]map[string]Member

// A Member is what the typings say of a member.
type Member struct {
	Required bool
	Kinds    []string // JSON kinds, "any", or "const:" and a value
}

// Parse reads an inventory.
func Parse(text []byte) (Inventory, error) {
	var sections map[string]json.RawMessage
	if err := json.Unmarshal(text, &sections); err != nil {
		return nil, fmt.Errorf("typings: %w", err)
	}
	delete(sections, "source")
	inv := Inventory{}
	for name, raw := range sections {
		section := inv[name]
		if err := json.Unmarshal(raw, &section); err != nil {
			return nil, fmt.Errorf("typings: %s: %w", name, err)
		}
		inv[name] = section
	}
	return inv, nil
}

// Required returns a function that reports whether the typings call a member of a definition
// required: an entry for the definition does, and no other calls it optional.
func (inv Inventory) Required() func(definition, member string) bool {
	type place struct{ definition, member string }
	required := map[place]bool{}
	for section, entries := range inv {
		for entry, members := range entries {
			for name, m := range members {
				at := place{Definition(section, entry), name}
				if other, ok := required[at]; ok && !other {
					continue
				}
				required[at] = m.Required
			}
		}
	}
	return func(definition, member string) bool { return required[place{definition, member}] }
}

// Definition returns the name of the definition in the schemas that stands for an entry.
func Definition(section, entry string) string {
	switch section {
	case "control_request":
		return "control/" + entry + ".json#/$defs/Request"
	case "control_response":
		return "control/" + snake(entry) + ".json#/$defs/Response"
	case "hook_input":
		return "hook/" + entry + ".json#/$defs/Input"
	case "hook_output":
		return "hook/output.json"
	case "hook_specific_output":
		return "hook/" + entry + ".json#/$defs/Output"
	case "permission_update":
		return "permission/update." + entry + ".json"
	case "permission_result":
		return "permission/result." + entry + ".json"
	case "stdout":
		switch {
		case strings.HasPrefix(entry, "control_"), entry == "keep_alive":
			return "envelope/" + entry + ".json"
		case strings.HasPrefix(entry, "result.error"):
			return "message/result.error.json"
		default:
			kind, _, _ := strings.Cut(entry, "#")
			return "message/" + kind + ".json"
		}
	}
	return map[string]string{
		"ControlResponse":         "envelope/control_response.json#/$defs/Success",
		"ControlErrorResponse":    "envelope/control_response.json#/$defs/Error",
		"SDKControlCancelRequest": "envelope/control_cancel_request.json",
		"SDKKeepAliveMessage":     "envelope/keep_alive.json",
		"SDKHookCallbackMatcher":  "hook/matcher.json",
		"SDKUserMessage":          "message/user.json",
		"McpServerStatus":         "shared/mcp_server_status.json",
		"AgentDefinition":         "shared/agent_definition.json",
		"SlashCommand":            "shared/slash_command.json",
		"ModelInfo":               "shared/model_info.json",
		"AccountInfo":             "shared/account_info.json",
		"SDKPermissionDenial":     "shared/permission_denial.json",
		"ModelUsage":              "shared/model_usage.json",
	}[entry]
}

func snake(s string) string {
	return strings.ToLower(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(s, "${1}_${2}"))
}
