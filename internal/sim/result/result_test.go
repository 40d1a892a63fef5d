package result

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/release"
)

// TestMembersOfAResultDependOnHowTheTurnEnded holds the members that only some results have, and
// their places among those that all have.
func TestMembersOfAResultDependOnHowTheTurnEnded(t *testing.T) {
	for _, test := range []struct {
		name string
		r    Result
		want string // the members, without most of those that all have
	}{
		{"the model has answered", Result{UUIDs: []string{"a"}, Asked: "a"}, "duration_api_ms stop_reason terminal_reason is_error num_turns subtype api_error_status result " +
			"ttft_ms type duration_ms uuid ttft_stream_ms time_to_request_ms first_content_frame_ms user_message_uuid user_message_uuids " +
			"request_sent_wall_ms first_request_input_tokens first_request_cache_read_input_tokens"},
		{"a message with an id came while tools were used", Result{UUIDs: []string{"a"}}, "duration_api_ms stop_reason terminal_reason is_error num_turns subtype " +
			"api_error_status result ttft_ms type duration_ms uuid ttft_stream_ms time_to_request_ms first_content_frame_ms user_message_uuid user_message_uuids"},
		{"in a form of its own, to nobody's message", Result{Structured: object.Object{}}, "duration_api_ms stop_reason terminal_reason is_error num_turns subtype " +
			"api_error_status result structured_output ttft_ms type duration_ms uuid ttft_stream_ms time_to_request_ms first_content_frame_ms"},
		{"the CLI has answered itself", Result{Silent: true, Command: "cost"}, "is_error duration_api_ms num_turns stop_reason subtype result local_command type duration_ms uuid"},
		{"the CLI has answered a message with an id", Result{Silent: true, Command: "cost", UUIDs: []string{"a"}},
			"is_error duration_api_ms num_turns stop_reason subtype result user_message_uuid user_message_uuids local_command type duration_ms uuid"},
		{"the API has failed", Result{IsError: true, API: &APIError{Status: 500, Type: "api_error", Code: "x"}},
			"duration_api_ms stop_reason terminal_reason is_error num_turns subtype api_error_status api_error_type api_error result type duration_ms uuid"},
		{"the API is not there", Result{IsError: true, API: &APIError{}},
			"duration_api_ms stop_reason terminal_reason is_error num_turns subtype api_error_status result type duration_ms uuid"},
		{"a limit was reached", Result{IsError: true, Errors: []string{"too much"}},
			"duration_api_ms stop_reason terminal_reason is_error num_turns subtype errors type duration_ms uuid"},
		{"a limit of turns was reached", Result{Subtype: "error_max_turns", IsError: true, Errors: []string{"too many"}, UUIDs: []string{"a"}},
			"duration_api_ms stop_reason terminal_reason is_error num_turns subtype errors type duration_ms uuid user_message_uuid user_message_uuids"},
		{"a hook has put off a tool", Result{Deferred: object.Object{}},
			"duration_api_ms stop_reason terminal_reason is_error num_turns subtype result deferred_tool_use type duration_ms uuid"},
	} {
		t.Run(test.name, func(t *testing.T) {
			all := map[string]bool{}
			for name := range strings.FieldsSeq("session_id total_cost_usd usage modelUsage permission_denials fast_mode_state fast_mode_disabled_reason " +
				"subagent_stats safety_stops queued_turn_count result_index model_usage_since_last_result") {
				all[name] = true
			}
			var got []string
			for _, m := range turn.Object(release.Newest(), &test.r) {
				if !all[m.Name] {
					got = append(got, m.Name)
				}
				delete(all, m.Name)
			}
			if diff := cmp.Diff(strings.Fields(test.want), got); diff != "" {
				t.Error(diff)
			}
			if len(all) > 0 {
				t.Errorf("without %v", all)
			}
		})
	}
}
