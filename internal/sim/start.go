package sim

import "github.com/ccwire/ccwire/internal/object"

// startupMarks are the points of the start that an SDK can ask to be told.
var startupMarks = []string{
	"init_after_graceful_shutdown", "init_network_configured", "preAction_after_init", "preAction_after_migrations", "preAction_after_remote_settings",
	"action_handler_start", "action_before_mcp_policy_wait", "action_before_permission_context", "action_after_input_prompt", "action_before_setup",
	"action_after_setup", "action_commands_loaded", "action_mcp_configs_loaded", "action_before_listed_mods", "action_after_plugins_init",
	"before_validateForceLoginOrg", "before_connectMcp", "after_connectMcp_claudeai", "before_print_import", "after_print_import", "runHeadless_entry",
	"after_grove_check", "before_loadInitialMessages", "loadInitialMessages_returned", "after_loadInitialMessages", "after_modelStrings", "before_runHeadlessStreaming", "stdin_listen_started",
}

// takeName gives the session the name that it is started with.
func (s *Session) takeName() {
	if name := s.flags.Value("name"); name != "" && !s.release.Before("2.1.325") {
		s.out.Tell("type", "system", "subtype", "session_title_changed", "title", name)
		s.transcript.Named(name)
	}
}

// drawPlugins has a program that shows what plugins draw do that at the start, in a session that
// has only the CLI's own.
func (s *Session) drawPlugins() {
	if (s.stage.Bare() || s.flags.Has("safe-mode")) && !s.release.Before("2.1.325") {
		s.out.Tell("type", "system", "subtype", "ui_invalidate", "event", "ui.render")
	}
}

// markStart tells how far the start has come, if the SDK reads that.
func (s *Session) markStart() {
	if !s.place.On("CLAUDE_CODE_SDK_READS_STARTUP_MARKS") {
		return
	}
	for _, mark := range startupMarks {
		if mark == "loadInitialMessages_returned" && s.release.Before("2.1.327") {
			continue
		}
		s.out.Line(object.Of("type", "keep_alive", "startup_mark", mark))
	}
}
