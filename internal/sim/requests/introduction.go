package requests

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/line"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/template"
)

// introduction is what the session tells of itself: in the reply to initialize, and in the line
// that opens every turn.
type introduction struct {
	greeting
	request object.Object // initialize
	state   string        // of the session
	parked  object.Object // the servers of the SDK that wait
	uuids   []string      // of the messages that a turn answers
}

type members = line.Line[*introduction]

// always is the value of a member that every session has alike.
func always(value any) func(*introduction) any { return line.Always[*introduction](value) }

// has holds for a request that has a member.
func has(name string) func(*introduction) bool {
	return func(i *introduction) bool { return i.request.Has(name) }
}

// lists holds for a request that has a member with something in it.
func lists(name string) func(*introduction) bool {
	return func(i *introduction) bool { return len(i.request.List(name))+len(i.request.Object(name)) > 0 }
}

// remembers holds for a session that is not bare.
func remembers(i *introduction) bool { return !i.Bare() }

// launched tells whether the session was started with the member that a request has.
func launched(name string) func(*introduction) any {
	return func(i *introduction) any { return i.Host.Launched(name, i.request.Get(name)) }
}

// initialized is the body of the reply to initialize.
var initialized = members{
	{Name: "commands", Value: func(i *introduction) any { return i.commands() }},
	{Name: "agents", Value: func(i *introduction) any { return i.Ext.AgentList() }, Since: "2.1.90"},
	{Name: "output_style", Value: func(i *introduction) any { return i.outputStyle() }},
	{Name: "available_output_styles", Value: func(i *introduction) any { return i.Ext.StyleNames() }},
	{Name: "user_output_styles_dir", Value: func(i *introduction) any { return filepath.Join(i.Place.ConfigDir(), "output-styles") }, Since: "2.1.290"},
	{Name: "models", Value: func(i *introduction) any { return i.models() }},
	{Name: "account", Value: func(i *introduction) any { return i.account() }},
	{Name: "pid", Value: func(*introduction) any { return os.Getpid() }, Since: "2.1.90"},
	{Name: "claude_code_version", Value: func(i *introduction) any { return i.Out.Version() }, Since: "2.1.325"},
	{Name: "current_permission_mode", Value: func(i *introduction) any { return i.Policy.Mode() }, Since: "2.1.250"},
	{Name: "hooks_applied", Value: always(true), When: func(i *introduction) bool { return i.request.Get("hooks") != nil }, Since: "2.1.250"},
	{Name: "hook_on_failure_supported", Value: always(true), Since: "2.1.325"},
	{Name: "hooks_when_unanswered_kept", Value: func(i *introduction) any { return i.kept() }, Since: "2.1.327"},
	{Name: "other_hook_ask_outranks_host", Value: always(true), Since: "2.1.325"},
	{Name: "plugins_applied", Value: func(i *introduction) any { return i.loaded(i.request.List("plugins")) }, When: lists("plugins"), Since: "2.1.290"},
	{Name: "sdk_mcp_manifests_parked", Value: func(i *introduction) any { return i.parked },
		When: func(i *introduction) bool { return len(i.parked) > 0 }, Since: "2.1.325"},
	{Name: "workspace_trust_recorded", Value: func(i *introduction) any {
		return i.request.Object("workspaceTrust").Text("directory") == i.Place.Dir()
	}, When: has("workspaceTrust"), Since: "2.1.325"},
	{Name: "survey_followup_box", Value: func(*introduction) any {
		return object.Of("transcript_allowed", false, "logs_followup", true, "every_rating", false)
	}, When: func(i *introduction) bool { return i.survey() }, Since: "2.1.325"},
	{Name: "feedback_mode", Value: func(*introduction) any { return object.Of("kind", "disabled") }, Since: "2.1.290"},
	{Name: "analytics_disabled", Value: always(true), Since: "2.1.250"},
	{Name: "remote_control_auto_enable", Value: always(false), Since: "2.1.250"},
	{Name: "remote_control_auto_connect_default", Value: always(false), Since: "2.1.290"},
	{Name: "remote_control_available", Value: always(false), Since: "2.1.290"},
	{Name: "remote_control_auto_on_by_default", Value: always(false), Since: "2.1.250"},
	{Name: "ide_rc_auto_enable_gate", Value: always(false), Since: "2.1.250"},
	{Name: "fast_mode_state", Value: always("off"), Since: "2.1.250"},
	{Name: "fast_mode_disabled_reason", Value: func(i *introduction) any { return i.Place.NoFastMode() }, Since: "2.1.250"},
	{Name: "session_state", Value: func(i *introduction) any { return i.state }, Since: "2.1.250"},
	{Name: "capabilities", Value: func(i *introduction) any { return template.List(i.Out.Release(), "capabilities") }, Since: "2.1.290"},
	{Name: "managed_settings_applied", Value: launched("managedSettings"), When: has("managedSettings"), Since: "2.1.325"},
	{Name: "settings_applied", Value: launched("settings"), When: has("settings"), Since: "2.1.328"},
	{Name: "disallowed_tools_applied", Value: launched("disallowedTools"), When: has("disallowedTools"), Since: "2.1.328"},
	{Name: "mcp_servers_applied", Value: launched("mcpServers"), When: lists("mcpServers"), Since: "2.1.327"},
	{Name: "code_running_mcp_tools_applied", Value: func(i *introduction) any { return i.request.Get("codeRunningMcpTools") },
		When: has("codeRunningMcpTools"), Since: "2.1.325"},
}

// opening is the line system/init, which opens every turn.
var opening = members{
	{Name: "type", Value: always("system")},
	{Name: "subtype", Value: always("init")},
	{Name: "cwd", Value: func(i *introduction) any { return i.Place.Cwd() }},
	{Name: "session_id", Value: func(i *introduction) any { return i.Out.ID() }},
	{Name: "tools", Value: func(i *introduction) any { return i.Box.Names() }},
	{Name: "mcp_servers", Value: func(i *introduction) any { return i.Servers.Init() }},
	{Name: "model", Value: func(i *introduction) any { return i.model() }},
	{Name: "permissionMode", Value: func(i *introduction) any { return i.Policy.Mode() }},
	{Name: "slash_commands", Value: func(i *introduction) any { return i.Ext.CommandNames(i.promptNames()...) }, Since: "1.0.128"},
	{Name: "terminal_slash_commands", Value: func(i *introduction) any { return i.terminalCommands() },
		When: func(i *introduction) bool { return !i.Flags.Has("disable-slash-commands") }, Since: "2.1.250"},
	{Name: "apiKeySource", Value: func(i *introduction) any { return i.keySource() }},
	{Name: "betas", Value: func(i *introduction) any { return i.Flags.Betas() }, When: func(i *introduction) bool { return i.Flags.Betas() != nil }, Since: "2.0.77"},
	{Name: "claude_code_version", Value: func(i *introduction) any { return i.Out.Version() }, Since: "2.0.77"},
	{Name: "output_style", Value: func(i *introduction) any { return i.outputStyle() }, Since: "1.0.128"},
	{Name: "agents", Value: func(i *introduction) any { return i.Ext.AgentNames() }, Since: "1.0.128"},
	{Name: "skills", Value: func(i *introduction) any { return i.Ext.SkillNames() }, Since: "2.0.77"},
	{Name: "plugins", Value: func(i *introduction) any { return i.Ext.PluginList() }, Since: "2.0.77"},
	{Name: "plugin_errors", Value: func(i *introduction) any { return i.Ext.PluginErrors() },
		When: func(i *introduction) bool { return i.Ext.PluginErrors() != nil }, Since: "2.1.325"},
	{Name: "capabilities", Value: func(i *introduction) any { return template.List(i.Out.Release(), "init.capabilities") }, Since: "2.1.250"},
	{Name: "analytics_disabled", Value: always(true), Since: "2.1.150"},
	{Name: "product_feedback_disabled", Value: always(true), Since: "2.1.150"},
	{Name: "uuid", Value: func(*introduction) any { return ids.UUID() }, Since: "1.0.128"},
	{Name: "memory_paths", Value: func(i *introduction) any {
		return object.Of("auto", filepath.Join(i.Place.ProjectDir(), "memory")+"/")
	}, When: remembers, Since: "2.1.150"},
	{Name: "original_cwd", Value: func(i *introduction) any { return i.Place.Dir() }, Since: "2.1.325"},
	{Name: "additional_directories", Value: func(i *introduction) any {
		return i.Policy.Folders(permission.ProjectSettings, permission.LocalSettings)
	}, Since: "2.1.325"},
	{Name: "messaging_socket_path", Value: func(i *introduction) any {
		return filepath.Join(i.Place.TmpDir(), "cc-socks", strconv.Itoa(os.Getpid())+".sock")
	}, When: remembers, Since: "2.1.250"},
	{Name: "fast_mode_state", Value: always("off"), Since: "2.1.90"},
	{Name: "fast_mode_disabled_reason", Value: func(i *introduction) any { return i.Place.NoFastMode() }, Since: "2.1.250"},
	{Name: "per_turn_effort_active", Value: func(i *introduction) any {
		return models.AbilitiesOf(i.model()).Efforts && !i.Place.On("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS")
	}, Since: "2.1.290"},
	{Name: "ultrathink_available", Value: func(i *introduction) any { return i.Place.Desktop() }, Since: "2.1.325"},
	{Name: "ultrathink_typed_raises", Value: func(i *introduction) any { return i.Place.Desktop() }, Since: "2.1.325"},
	{Name: "view_mode", Value: always("default"), Since: "2.1.290"},
	{Name: "user_message_uuids", Value: func(i *introduction) any { return i.uuids }, When: func(i *introduction) bool { return len(i.uuids) > 0 }, Since: "2.1.325"},
}

// loaded reports whether the session was started with all of some plugins.
func (i *introduction) loaded(plugins []any) bool {
	return !slices.ContainsFunc(plugins, func(v any) bool {
		plugin, _ := v.(object.Object)
		return !slices.Contains(i.Flags.Values("plugin-dir"), plugin.Text("path"))
	})
}
