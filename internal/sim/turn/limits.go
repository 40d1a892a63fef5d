package turn

import (
	"cmp"
	"strconv"
	"sync"
	"time"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/script"
)

// limits is what the API has said last of the limits of a subscription.
type limits struct {
	mu      sync.Mutex            // guards the fields below
	last    object.Object         // as it was told
	named   object.Object         // the windows that were named last
	windows map[string]usedWindow // all that were named so far, by their names
}

// usedWindow is how much of a window is used.
type usedWindow struct {
	share  float64
	resets int64
}

// limitHeader returns a header of the API about the limits of a subscription.
func limitHeader(reply *script.Answer, name string) string {
	return reply.Header("anthropic-ratelimit-unified-" + name)
}

// window is a time in which a subscription can be used so much.
type window struct {
	name, kind string // in headers, and for the SDK
	lasts      time.Duration
	warns      [][2]float64 // a share that is used when no more than this share of the time is over
}

// windows are the windows that the user is warned of.
var windows = []window{
	{"5h", "five_hour", 5 * time.Hour, [][2]float64{{0.9, 0.72}}},
	{"7d", "seven_day", 7 * 24 * time.Hour, [][2]float64{{0.75, 0.6}, {0.5, 0.35}, {0.25, 0.15}}},
}

// noteLimits tells what an answer of the API says of the limits, if that is new.
func (s *Stage) noteLimits(reply *script.Answer) {
	if !s.Place.Subscribed() {
		return
	}
	l := &s.limits
	l.mu.Lock()
	defer l.mu.Unlock()
	last := l.last
	if last == nil {
		last = object.Of("status", "allowed", "isUsingOverage", false)
	}
	info := l.read(reply, s.Out.Release().Before("2.1.325"))
	if object.Text(last) == object.Text(info) {
		return
	}
	l.last = info
	s.Out.Tell("type", "rate_limit_event", "rate_limit_info", info)
}

// read returns what an answer of the API says of the limits. A warning of an older version says
// nothing of what is paid beside them.
func (l *limits) read(reply *script.Answer, older bool) object.Object {
	status, kind := limitHeader(reply, "status"), limitHeader(reply, "representative-claim")
	resets := number(limitHeader(reply, "reset"))
	if named := l.name(reply); named != nil {
		l.named = named
	}
	var used, surpassed any = object.Absent, object.Absent
	if status != "rejected" {
		status = "allowed"
		for _, w := range windows {
			if share, at, over := l.warning(reply, w); share != nil {
				status, kind, used, surpassed, resets = "allowed_warning", w.kind, share, over, at
				break
			}
		}
	}
	overage, disabled := limitHeader(reply, "overage-status"), limitHeader(reply, "overage-disabled-reason")
	more := status != "allowed_warning" || !older
	return object.Of("status", status, "resetsAt", resets, "rateLimitType", object.If(kind != "", kind), "utilization", used,
		"overageStatus", object.If(overage != "" && more, overage), "overageResetsAt", number(limitHeader(reply, "overage-reset")),
		"overageDisabledReason", object.If(disabled != "", disabled),
		"isUsingOverage", status == "rejected" && (overage == "allowed" || overage == "allowed_warning"), "surpassedThreshold", surpassed,
		"unifiedWindows", object.If(l.named != nil, l.named))
}

// name notes the windows that an answer names, and returns them. One that ends much too late is
// none.
func (l *limits) name(reply *script.Answer) (named object.Object) {
	for _, w := range windows {
		share, isShare := number(limitHeader(reply, w.name+"-utilization")).(float64)
		at, isTime := number(limitHeader(reply, w.name+"-reset")).(float64)
		if left := time.Until(time.Unix(int64(at), 0)); !isShare || !isTime || left <= 0 || left > 2*w.lasts {
			continue
		}
		if l.windows == nil {
			l.windows = map[string]usedWindow{}
		}
		l.windows[w.name] = usedWindow{share, int64(at)}
		status := limitHeader(reply, w.name+"-status")
		named.Set(w.kind, object.Of("utilization", share, "resetsAt", at, "status", object.If(status != "", status),
			"surpassedThreshold", number(limitHeader(reply, w.name+"-surpassed-threshold"))))
	}
	return named
}

// warning returns the share of a window that is used, when it ends, and the share that was not to
// be surpassed if the API has said one; no share if the user is not warned of it.
func (l *limits) warning(reply *script.Answer, w window) (share, resets, surpassed any) {
	share, resets = number(limitHeader(reply, w.name+"-utilization")), number(limitHeader(reply, w.name+"-reset"))
	if surpassed = number(limitHeader(reply, w.name+"-surpassed-threshold")); surpassed != object.Absent {
		return share, resets, surpassed
	}
	used, isShare := share.(float64)
	at, isTime := resets.(float64)
	if known, ok := l.windows[w.name]; ok && !isShare {
		used, at, isShare, isTime = known.share, float64(known.resets), true, true
	}
	left := time.Until(time.Unix(int64(at), 0))
	if !isShare || !isTime || left <= 0 {
		return nil, nil, nil
	}
	over := 1 - left.Seconds()/w.lasts.Seconds()
	for _, limit := range w.warns {
		if used >= limit[0] && over <= limit[1] {
			return used, at, object.Absent
		}
	}
	return nil, nil, nil
}

// exceeded returns what the API has said of the limits if an error says that one is reached; nil if
// it does not.
func (s *Stage) exceeded(e *script.APIError) object.Object {
	l := &s.limits
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Status != 429 || !s.Place.Subscribed() || l.last.Text("status") != "rejected" || l.last.Bool("isUsingOverage") {
		return nil
	}
	return l.last
}

// limitReached says which limit is reached, and when it ends.
func (s *Stage) limitReached(info object.Object) string {
	name, known := limitNames[info.Text("rateLimitType")]
	if known && name == "5-hour" && s.Out.Release().Before("2.1.325") {
		name = "session"
	}
	text := "You've hit your " + cmp.Or(name, "usage") + " limit"
	if at, ok := info.Number("resetsAt"); ok {
		text += " · resets " + time.Unix(int64(at), 0).UTC().Format("Jan 2, 2006, 3:04pm") + " (UTC)"
	}
	return text
}

// limitNames are the limits as the user is told of them.
var limitNames = map[string]string{"five_hour": "5-hour", "seven_day": "weekly", "seven_day_opus": "Opus", "seven_day_sonnet": "Sonnet",
	"seven_day_overage_included": "Fable"}

// number is the number that a header has, Absent for none.
func number(text string) any {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return object.Absent
	}
	return n
}
