package turn

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/ids"
	"github.com/ccwire/ccwire/internal/sim/ledger"
	"github.com/ccwire/ccwire/internal/sim/models"
	"github.com/ccwire/ccwire/internal/sim/script"
	"github.com/ccwire/ccwire/internal/sim/transcript"
)

// maxRetries is how often a request is made again.
func (s *Stage) maxRetries() int {
	if n, err := strconv.Atoi(s.Place.Get("CLAUDE_CODE_MAX_RETRIES")); err == nil {
		return n
	}
	return 10
}

// tellRequest tells an SDK that wants the events of messages that the model is asked.
func (t *Turn) tellRequest(a *Agent) {
	s := t.stage
	if !s.partial() || a.ID != "" || s.Out.Release().Before("2.1.200") {
		return
	}
	s.Out.Line(object.Of("type", "system", "subtype", "status", "status", "requesting", "session_id", s.Out.ID(), "uuid", ids.UUID(),
		"user_message_uuids", object.If(len(t.uuids) > 0, t.uuids)))
}

// request asks the model until it answers or gives up, writes what it says, and puts it into the
// conversation. closing writes what must come after the line of an interrupt.
func (t *Turn) request(a *Agent) (m *answer, closing func(), err error) {
	t.tellRequest(a) // the tries after the first one are not told
	if t.ends != nil {
		t.ends()
		t.ends = nil
	}
	tries := t.stage.tries(a)
	for {
		m, closing, err = t.requestOnce(a, tries.model, tries.plain)
		if err == nil {
			a.refused = min(a.refused, 1)
		}
		if err == nil || t.ctx.Err() != nil || errors.Is(err, errBudget) || errors.Is(err, errCut) {
			return m, closing, err
		}
		again, failed := tries.next(err)
		if failed != nil {
			return m, closing, failed
		}
		if again {
			continue
		}
		if err := t.awaitRetry(a, err, tries.count); err != nil {
			return m, closing, err
		}
		tries.count++
	}
}

// awaitRetry says that a request will be made again, and waits for that.
func (t *Turn) awaitRetry(a *Agent, err error, try int) error {
	t.Stepped()
	delay := time.Duration(float64(500*time.Millisecond<<min(try-1, 6)) * (1 + rand.Float64()/4))
	var status any
	var api *script.APIError
	name := "unknown"
	if errors.As(err, &api) {
		status, name = api.Status, ErrorName(api.Status)
		switch api.Status {
		case 529:
			name = "overloaded"
		case 408, 409:
			name = "server_error"
		}
		if api.RetryAfter != nil {
			delay = time.Duration(*api.RetryAfter) * time.Second
		}
	}
	t.stage.Out.Note("type", "system", "subtype", "api_retry", "attempt", try, "max_retries", t.stage.maxRetries(),
		"retry_delay_ms", delay.Milliseconds(), "error_status", status, "error", name)
	if api != nil {
		t.stage.Transcript.Agent(a.ID).Notice(ids.UUID(), "api_error", "level", "error", "error", object.Of("message", rawError(api), "status", api.Status,
			"requestId", api.RequestID, "formatted", fmt.Sprintf("%d %s", api.Status, api.Message), "connection", nil, "isNetworkDown", false, "rateLimits", nil, "noResponse", nil),
			"retryInMs", delay.Milliseconds(), "retryAttempt", try, "maxRetries", t.stage.maxRetries(), "source", "request_retry")
	}
	if api != nil && api.Status == 401 {
		if refreshed, asked := t.refreshToken(); asked {
			if refreshed {
				return nil
			}
			return err
		}
	}
	return t.stage.Model.Clock().Sleep(t.ctx, delay)
}

// preparation is what a turn takes before it asks the model: an interrupt that comes at once comes
// before that.
const preparation = 5 * time.Millisecond

func (t *Turn) prepare() {
	timer := time.NewTimer(preparation)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.ctx.Done():
	}
}

// requestOnce asks the model one time.
func (t *Turn) requestOnce(a *Agent, model string, plain bool) (*answer, func(), error) {
	s := t.stage
	nothing := func() {}
	if u, err := url.Parse(s.Place.Get("ANTHROPIC_BASE_URL")); err == nil && u.Port() == "9" { // the port that discards
		return nil, nothing, errRefused
	}
	if a.ID == "" && t.asked() == 0 {
		t.prepare()
	}
	if t.ctx.Err() != nil { // the model was not asked
		return &answer{}, nothing, t.ctx.Err()
	}
	t.counts.count(&t.counts.requests)
	t.asking = model
	if a.ID == "" && model == s.Chosen.Get() { // a command may have another
		s.Chosen.Ask()
	}
	kept := s.Transcript.Agent(a.ID)
	kept.Ask(transcript.Request{Model: models.Asked(model), Effort: s.effort(model), Constant: models.AbilitiesOf(model).Efforts, Checked: s.Policy.Mode() == "auto" || s.Policy.Mode() == "plan", Agent: a.Kind})
	defer kept.Answered(nil, nil) // unless it is complete
	q := a.Ask(models.Asked(model))
	q.Plain = plain
	st := newStreaming(t, a, model, s.Model.Ask(q))
	st.reply.Pauses = func() {
		t.Stepped()
		st.settle()
		st.got.release()
	}
	if plain {
		whole, err := st.reply.Whole(t.ctx)
		if err != nil {
			return st.got, nothing, err
		}
		used := ledger.Read(whole.Object("usage"))
		for _, b := range whole.List("content") {
			st.block(b.(object.Object), whole.With("usage", used.Object()))
		}
	} else if err := st.reply.Play(t.ctx, st.event); errors.Is(err, errBudget) {
		s.Spent.Spend(model, st.used())
		return st.got, st.abandon(), err
	} else if err != nil {
		if t.ctx.Err() == nil {
			var api *script.APIError
			if errors.As(err, &api) && api.Status != 0 {
				s.noteLimits(st.reply)
			}
			if st.started && a.ID == "" && errors.As(err, &api) {
				closing, err := t.brokenOff(st, api)
				return st.got, closing, err
			}
			return st.got, nothing, err
		}
		t.AwaitReceipt()
		if st.started && !s.Out.Release().Before("2.1.326") {
			s.Spent.Spend(model, st.soFar())
			t.counts.spend(st.soFar(), false)
			if a.ID == "" {
				s.Spent.Answered()
			}
		}
		closing := st.abandon()
		st.keep()
		st.got.release()
		st.tellBegun()
		return st.got, closing, err
	}
	st.keep()
	s.noteLimits(st.reply)
	st.got.usage, st.got.stopReason = st.used(), st.reply.StopReason()
	t.spend(a, model, st.got.usage)
	t.counts.said(st.reply.Usage())
	kept.Answered(st.got.stopReason, st.got.usage.Object())
	return st.got, nothing, nil
}

// spend notes what a request has used.
func (t *Turn) spend(a *Agent, model string, u ledger.Usage) {
	t.counts.spend(u, a.ID == "")
	a.Last = u
	t.stage.Spent.Spend(model, u)
	if a.ID == "" {
		t.stage.Spent.Answered()
	}
}

// effort is how much a model is to think; "" if it is not told.
func (s *Stage) effort(model string) string {
	effort := models.Effort(model)
	s.mu.Lock()
	level := s.level
	s.mu.Unlock()
	if chosen := cmp.Or(level, s.Flags.Value("effort")); chosen != "" && effort != "" {
		return chosen
	}
	return effort
}

// refreshToken asks a host that owns the login for a new token. It reports whether there is one,
// and whether it was asked.
func (t *Turn) refreshToken() (refreshed, asked bool) {
	s := t.stage
	request, member := object.Of("subtype", "host_auth_token_refresh", "status", 401), "authToken"
	switch {
	case s.Place.On("CLAUDE_CODE_SDK_HAS_HOST_AUTH_REFRESH"):
	case s.Place.On("CLAUDE_CODE_SDK_HAS_OAUTH_REFRESH"):
		request, member = object.Of("subtype", "oauth_token_refresh", "token_state", "refused", "refused_call", "model"), "accessToken"
	default:
		return false, false
	}
	answer, err := s.Calls.Ask(t.ctx, request)
	return err == nil && answer.Text(member) != "", true
}
