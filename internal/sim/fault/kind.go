package fault

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/near"
)

// The kinds of lines that there are, as the schemas have them: a type, and what can stand after its
// slash. Line is any line.
var (
	written = map[string]string{ // by the CLI
		"line": "", "assistant": "", "user": "", "stream_event": "", "keep_alive": "", "control_cancel_request": "", "active_goal": "", "auth_status": "",
		"autocompact_state": "", "command_lifecycle": "", "conversation_reset": "", "error": "", "prompt_suggestion": "", "rate_limit_event": "",
		"tool_progress": "", "tool_use_summary": "", "transcript_mirror": "", "queued_notification": "", "session_notice": "",
		"result": "success error_during_execution error_max_turns error_max_budget_usd error_max_structured_output_retries",
		"system": "api_retry background_tasks_changed bridge_state code_change_published commands_changed compact_boundary control_request_progress " +
			"dev_intent elicitation_complete feedback_draft_queued file_attachments_missing files_persisted hook_progress hook_response hook_started " +
			"informational inherited_asks_settled init instruction_size_warning local_command_output memory_recall mirror_error model_fallback " +
			"model_refusal_fallback model_refusal_no_fallback notification peer_message_hold per_turn_effort_changed permission_check_status " +
			"permission_denied plugin_install post_turn_summary session_metadata session_state_changed session_title_changed session_writes_lost " +
			"status task_notification task_progress task_started task_summary task_updated thinking_tokens turn_preempted ui_invalidate ui_panes " +
			"ui_status vcs_state_changed worker_shutting_down workflow_launch_result",
		"control_request":  fromCLI,
		"control_response": fromSDK,
	}
	read = map[string]string{ // by the CLI: what an SDK writes
		"line": "", "user": "", "assistant": "", "system": "compact_boundary", "keep_alive": "", "control_cancel_request": "", "control_response": "",
		"bash_command": "", "update_environment_variables": "", "workflow_launch": "",
		"control_request": fromSDK,
	}
)

// The subtypes of requests, by who makes them.
const (
	fromCLI = "can_use_tool elicitation hook_callback host_auth_token_refresh mcp_message oauth_token_refresh remote_control_work_secret request_user_dialog"
	fromSDK = "apply_flag_settings background_tasks cancel_async_message channel_enable claude_authenticate claude_oauth_callback " +
		"claude_oauth_wait_for_completion end_session export_conversation file_suggestions fork_conversation generate_session_title " +
		"get_binary_version get_context_usage get_hooks_listing get_memory_dialog get_plan get_sandbox_dialog get_session_cost get_settings " +
		"get_skills_dialog get_status get_task_output get_usage get_workspace_diff initialize interrupt list_models list_permission_rules " +
		"mcp_authenticate mcp_call mcp_clear_auth mcp_message mcp_oauth_callback_url mcp_read_resource mcp_reconnect mcp_set_servers mcp_status " +
		"mcp_toggle message_rated prompt_draft_activity read_file register_repo_root reload_output_styles reload_plugins reload_skills remote_control rename_session " +
		"rewind_conversation rewind_files seed_read_state set_color set_cwd set_has_subscribers set_max_thinking_tokens " +
		"set_mcp_permission_mode_override set_message_waiting set_model set_permission_mode set_proactivity_level set_prompt_suggestions_paused side_question " +
		"stop_task submit_feedback submit_survey_feedback update_settings"
)

// checkKind refuses a kind that no line is of. input says that the CLI reads the line.
func checkKind(kind string, input bool) error {
	kinds, who := written, "the CLI writes"
	if input {
		kinds, who = read, "the SDK writes"
	}
	first, second, slash := strings.Cut(kind, "/")
	seconds, ok := kinds[first]
	if ok && (!slash || slices.Contains(strings.Fields(seconds), second)) {
		return nil
	}
	if number, found := strings.CutPrefix(kind, "line:"); found {
		return fmt.Errorf("%q is not the kind of a line; did you mean line#%s?", kind, number)
	}
	if words := likeKind(kind, kinds); len(words) > 0 {
		return fmt.Errorf("%q is not the kind of a line that %s; did you mean %s?", kind, who, strings.Join(words, " or "))
	}
	return fmt.Errorf("%q is not the kind of a line that %s, such as %s", kind, who, "control_request/"+strings.Fields(kinds["control_request"])[0])
}

// likeKind returns the kinds that somebody may have meant: those with the same word after the
// slash, or those that look like it.
func likeKind(kind string, kinds map[string]string) (like []string) {
	first, second, slash := strings.Cut(kind, "/")
	if !slash {
		second = first
	}
	var all []string
	for name, seconds := range kinds {
		all = append(all, name)
		for _, word := range strings.Fields(seconds) {
			all = append(all, name+"/"+word)
			if len(near.Words(second, []string{word})) > 0 && (!slash || name == first) {
				like = append(like, name+"/"+word)
			}
		}
	}
	if exact := slices.DeleteFunc(slices.Clone(like), func(k string) bool { return !strings.HasSuffix(k, "/"+second) }); len(exact) > 0 {
		like = exact
	} else if words := near.Words(kind, all); len(words) > 0 {
		like = words
	}
	slices.Sort(like)
	return like[:min(len(like), 3)]
}
