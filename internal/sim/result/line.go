package result

import (
	"cmp"
	"slices"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/line"
)

type members = line.Line[*Result]

// always is the value of a member that all results have alike.
func always(value any) func(*Result) any { return line.Always[*Result](value) }

// Conditions of members.
var (
	silent = func(r *Result) bool { return r.Silent } // the model was not asked
	spoken = line.Not(silent)
	failed = func(r *Result) bool { return r.Errors != nil } // there are errors in place of a text
	told   = line.Not(failed)
	// early holds where some members come before the others.
	early = func(r *Result) bool { return silent(r) || r.Subtype == "error_max_structured_output_retries" }
	late  = line.Not(early)
	// answered holds for a turn that the model has ended, or an error of the API in its place.
	answered = func(r *Result) bool { return told(r) && spoken(r) && r.Deferred == nil }
	// timed holds for a turn that the model has ended: its times are told.
	timed = func(r *Result) bool { return answered(r) && r.API == nil && !r.IsError }
	// named holds for one of these, or one that has failed or reached a limit, whose messages have
	// ids; asked if one has that the model was asked for first.
	named   = func(r *Result) bool { return (timed(r) || limited(r) || broken(r)) && len(r.UUIDs) > 0 }
	broken  = func(r *Result) bool { return spoken(r) && r.IsError }
	limited = func(r *Result) bool { return r.Subtype == "error_max_turns" || r.Subtype == "error_max_budget_usd" }
	asked   = func(r *Result) bool { return timed(r) && r.Asked != "" }
	// served holds for a command whose message has an id.
	served = func(r *Result) bool { return silent(r) && len(r.UUIDs) > 0 }
	// status holds for an error that the API has answered with, typed for one that has a type and
	// coded for one that has a code.
	status = func(r *Result) bool { return answered(r) && r.API != nil && r.API.Status != 0 }
	typed  = func(r *Result) bool { return answered(r) && r.API != nil && r.API.Type != "" }
	coded  = func(r *Result) bool { return answered(r) && r.API != nil && r.API.Code != "" }
)

// answeredUUID is the id of the message that a turn has answered: the one that the model was asked
// for first, or the last that came.
func answeredUUID(r *Result) any { return cmp.Or(r.Asked, r.UUIDs[len(r.UUIDs)-1]) }

// Values of members.
var (
	isError = func(r *Result) any { return r.IsError }
	took    = func(r *Result) any { return r.Took.Milliseconds() }
	newUUID = func(*Result) any { return ids.UUID() }
	uuids   = func(r *Result) any { return r.UUIDs }
	session = func(r *Result) any { return r.session }
	errs    = func(r *Result) any { return r.Errors }
	turns   = func(r *Result) any {
		if r.Silent {
			return r.Users
		}
		return r.turns
	}
)

// turn is the line of the type result with which a turn ends.
var turn = members{
	{Name: "is_error", Value: isError, When: early},
	{Name: "duration_api_ms", Value: func(r *Result) any {
		if r.Silent {
			return 0
		}
		return r.Took.Milliseconds()
	}},
	{Name: "num_turns", Value: turns, When: early},
	{Name: "stop_reason", Value: func(r *Result) any {
		if r.Silent {
			return nil
		}
		return r.StopReason
	}, Since: "2.1.90"},
	{Name: "session_id", Value: session},
	{Name: "total_cost_usd", Value: func(r *Result) any { return r.Spent.Cost }},
	{Name: "usage", Value: func(r *Result) any { return r.Usage }},
	{Name: "modelUsage", Value: func(r *Result) any { return r.Spent.ByModel }, Since: "1.0.128"},
	{Name: "permission_denials", Value: func(r *Result) any { return append([]any{}, r.Denials...) }, Since: "1.0.128"},
	{Name: "terminal_reason", Value: func(r *Result) any { return r.Reason }, When: spoken, Since: "2.1.150"},
	{Name: "fast_mode_state", Value: always("off"), Since: "2.1.90"},
	{Name: "fast_mode_disabled_reason", Value: func(r *Result) any { return cmp.Or(r.NotFast, "sdk_opt_in_required") }, Since: "2.1.250"},
	{Name: "origin", Value: func(r *Result) any { return object.If(r.Origin != nil, r.Origin) }, When: spoken, Since: "2.1.200"},
	{Name: "subagent_stats", Value: func(r *Result) any { return r.Subagents }, Since: "2.1.250"},
	{Name: "safety_stops", Value: func(r *Result) any { return r.Refusals }, Since: "2.1.325"},
	{Name: "is_error", Value: isError, When: late},
	{Name: "num_turns", Value: turns, When: late},
	{Name: "subtype", Value: func(r *Result) any { return r.Subtype }},
	{Name: "errors", Value: errs, When: failed, Since: "2.0.77"},
	{Name: "api_error_status", Value: func(r *Result) any {
		if status(r) {
			return r.API.Status
		}
		return nil
	}, When: answered, Since: "2.1.150"},
	{Name: "api_error_type", Value: func(r *Result) any { return r.API.Type }, When: typed, Since: "2.1.325"},
	{Name: "api_error", Value: func(r *Result) any { return r.API.Code }, When: coded, Since: "2.1.290"},
	{Name: "result", Value: func(r *Result) any { return r.Text }, When: told},
	{Name: "deferred_tool_use", Value: func(r *Result) any { return object.If(r.Deferred != nil, r.Deferred) }, Since: "2.1.200"},
	{Name: "structured_output", Value: func(r *Result) any { return object.If(r.Structured != nil, r.Structured) }, Since: "2.1.90"},
	{Name: "user_message_uuid", Value: answeredUUID, When: served, Since: "2.1.250"},
	{Name: "user_message_uuids", Value: uuids, When: served, Since: "2.1.290"},
	{Name: "local_command", Value: func(r *Result) any { return object.If(r.Command != "", r.Command) }, Since: "2.1.290"},
	{Name: "ttft_ms", Value: took, When: timed, Since: "2.1.150"},
	{Name: "type", Value: always("result")},
	{Name: "duration_ms", Value: took},
	{Name: "uuid", Value: newUUID, Since: "1.0.128"},
	{Name: "ttft_stream_ms", Value: took, When: timed, Since: "2.1.200"},
	{Name: "time_to_request_ms", Value: always(1), When: timed, Since: "2.1.200"},
	{Name: "first_content_frame_ms", Value: took, When: timed, Since: "2.1.290"},
	{Name: "user_message_uuid", Value: answeredUUID, When: named, Since: "2.1.250"},
	{Name: "user_message_uuids", Value: uuids, When: named, Since: "2.1.290"},
	{Name: "request_sent_wall_ms", Value: func(r *Result) any { return r.Began.UnixMilli() }, When: asked, Since: "2.1.250"},
	{Name: "first_request_input_tokens", Value: func(r *Result) any { return r.First.Input }, When: asked, Since: "2.1.290"},
	{Name: "first_request_cache_read_input_tokens", Value: func(r *Result) any { return r.First.CacheRead }, When: asked, Since: "2.1.325"},
	{Name: "queued_turn_count", Value: always(0), Since: "2.1.250"},
	{Name: "result_index", Value: func(r *Result) any { return r.index }, Since: "2.1.290"},
	{Name: "model_usage_since_last_result", Value: func(r *Result) any { return r.Spent.Since }, Since: "2.1.325"},
}

// noSession is the line of the type result of a session that cannot go on with an earlier one.
var noSession = members{
	{Name: "type", Value: always("result")},
	{Name: "subtype", Value: always("error_during_execution")},
	{Name: "duration_ms", Value: always(0)},
	{Name: "duration_api_ms", Value: always(0)},
	{Name: "is_error", Value: always(true)},
	{Name: "num_turns", Value: always(0)},
	{Name: "stop_reason", Value: always(nil), Since: "2.1.90"},
	{Name: "session_id", Value: session},
	{Name: "total_cost_usd", Value: always(0)},
	{Name: "usage", Value: always(ledger.Usage{}.Plain())},
	{Name: "modelUsage", Value: always(object.Object{}), Since: "1.0.128"},
	{Name: "permission_denials", Value: always([]any{}), Since: "1.0.128"},
	{Name: "uuid", Value: newUUID, Since: "1.0.128"},
	{Name: "errors", Value: errs, Since: "2.0.77"},
	{Name: "startup_failure_reason", Value: func(r *Result) any { return r.startup }, When: func(r *Result) bool { return r.startup != "" }, Since: "2.1.325"},
	{Name: "result_index", Value: func(r *Result) any { return r.index }, Since: "2.1.290"},
}

// crashed is the line of the type result of a session that ends by an error.
var crashed = append(slices.Clone(noSession), members{{Name: "model_usage_since_last_result", Value: func(r *Result) any { return r.Spent.Since }}}...)
