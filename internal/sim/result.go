package sim

import (
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/output"
)

// writeResult writes the result of a turn.
func (s *Session) writeResult(t *turn, o outcome) {
	s.mu.Lock()
	index := s.results
	s.results++
	s.lastError = o.isError
	s.mu.Unlock()
	spent := s.spent.State()
	took := time.Since(t.began).Milliseconds()
	denials := t.denials
	if denials == nil {
		denials = []any{}
	}
	common := object.Of("session_id", s.out.ID(), "total_cost_usd", spent.Cost, "usage", t.usage(), "modelUsage", spent.ByModel, "permission_denials", denials)
	state := object.Of("fast_mode_state", "off", "fast_mode_disabled_reason", "sdk_opt_in_required")
	var origin any = object.Absent
	if p := t.prompts; len(p) > 0 && p[0].Origin != nil {
		origin = p[0].Origin
	}
	stats := object.Of("subagent_stats", s.tasks.Stats(), "safety_stops", t.refusals)
	var r object.Object
	if o.silent {
		r = object.Of("is_error", o.isError, "duration_api_ms", 0, "num_turns", t.users, "stop_reason", nil)
		r = join(r, common, state, stats)
	} else {
		r = object.Of("duration_api_ms", took, "stop_reason", o.stopReason)
		r = join(r, common, object.Of("terminal_reason", o.reason), state, object.Of("origin", origin), stats)
		r = join(r, object.Of("is_error", o.isError, "num_turns", 1+t.users))
	}
	r = join(r, object.Of("subtype", o.subtype))
	timed := false
	switch {
	case o.errors != nil:
		r = join(r, object.Of("errors", o.errors))
	case o.silent:
		r = join(r, object.Of("result", o.text), o.members)
	case o.deferred != nil:
		r = join(r, object.Of("result", o.text, "deferred_tool_use", o.deferred))
	default:
		if !o.members.Has("api_error_status") {
			r = join(r, object.Of("api_error_status", nil))
			timed = !o.isError
		}
		if o.members.Has("api_error_status") {
			r = join(r, o.members, object.Of("result", o.text))
		} else {
			r = join(r, object.Of("result", o.text), o.members)
		}
		if timed {
			r = join(r, object.Of("ttft_ms", took))
		}
	}
	r = join(r, object.Of("type", "result", "duration_ms", took, "uuid", ids.UUID()))
	if timed {
		r = join(r, object.Of("ttft_stream_ms", took, "time_to_request_ms", 1, "first_content_frame_ms", took))
	}
	if more := t.userUUIDs(s.main); more != nil && timed {
		r = join(r, object.Of(more...), object.Of("request_sent_wall_ms", t.began.UnixMilli(),
			"first_request_input_tokens", t.first.Input, "first_request_cache_read_input_tokens", t.first.CacheRead))
	}
	r = join(r, object.Of("queued_turn_count", 0, "result_index", index, "model_usage_since_last_result", spent.Since))
	s.emitResult(r)
}

// resultCount is how many results were written.
func (s *Session) resultCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.results
}

// usage is what the turn has used. Some members are those of the last message.
func (t *turn) usage() object.Object {
	u := t.used.Object()
	for _, name := range []string{"iterations", "fallback_credit"} {
		if v, ok := t.lastUsage.Lookup(name); ok {
			u.Set(name, v)
		}
	}
	return u
}

func join(parts ...object.Object) (all object.Object) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// emitResult writes a result in the form that the output has.
func (s *Session) emitResult(r object.Object) {
	switch {
	case form(s.flags) != output.Text:
		s.out.Line(r)
	case s.flags.Value("output-format") == "json":
		s.out.Text(object.Text(r) + "\n")
	default:
		text := r.Text("result")
		if errors, ok := r.Get("errors").([]string); ok && len(errors) > 0 {
			text = errors[0]
		}
		s.out.Text(text + "\n")
	}
}
