package tools

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ccwire/ccwire/internal/object"
)

// job is a prompt that is to come again.
type job struct {
	id, cron, prompt string
	recurring        bool
	durable          bool
	next             time.Time
}

func (j *job) object() object.Object {
	return object.Of("id", j.id, "cron", j.cron, "humanSchedule", schedule(j.cron), "prompt", j.prompt,
		"recurring", j.recurring, "durable", j.durable, "nextFireAt", j.next.UnixMilli())
}

// Jobs returns the jobs of the session, as a Stop hook gets them.
func (s *Set) Jobs() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []any{}
	for _, j := range s.jobs {
		list = append(list, object.Of("id", j.id, "schedule", j.cron, "recurring", j.recurring, "prompt", j.prompt))
	}
	return list
}

func (s *Set) checkJob(in object.Object) *Refusal {
	if _, ok := next(in.Text("cron"), time.Now()); !ok {
		return Refuse(fmt.Sprintf("Invalid cron expression '%s'. Expected 5 fields: M H DoM Mon DoW.", in.Text("cron")))
	}
	return nil
}

func (s *Set) createJob(_ context.Context, in object.Object) Result {
	j := &job{id: newID(), cron: in.Text("cron"), prompt: in.Text("prompt"), recurring: true, durable: in.Bool("durable")}
	if v, ok := in.Lookup("recurring"); ok {
		j.recurring = v == true
	}
	j.next, _ = next(j.cron, time.Now())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs = append(s.jobs, j)
	kind := "one-shot task"
	if j.recurring {
		kind = "recurring job"
	}
	text := fmt.Sprintf("Scheduled %s %s (%s). Next run: %s. Session-only (not written to disk, dies when Claude exits). "+
		"Auto-expires after 7 days. Use CronDelete to cancel sooner.", kind, j.id, schedule(j.cron), clock(j.next))
	return Result{Content: text, Use: object.Of("id", j.id, "humanSchedule", schedule(j.cron), "recurring", j.recurring,
		"durable", j.durable, "nextFireAt", j.next.UnixMilli())}
}

func (s *Set) listJobs(context.Context, object.Object) Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	jobs, lines := []any{}, []string{}
	for _, j := range s.jobs {
		jobs = append(jobs, j.object())
		kind := "(one-shot)"
		if j.recurring {
			kind = "(recurring)"
		}
		lines = append(lines, fmt.Sprintf("%s — %s %s [session-only], next run %s: %s", j.id, schedule(j.cron), kind, clock(j.next), j.prompt))
	}
	text := strings.Join(lines, "\n")
	if text == "" {
		text = "No scheduled jobs."
	}
	return Result{Content: text, Use: object.Of("jobs", jobs)}
}

func (s *Set) deleteJob(_ context.Context, in object.Object) Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := in.Text("id")
	i := slices.IndexFunc(s.jobs, func(j *job) bool { return j.id == id })
	if i < 0 {
		return failf("No scheduled job with id '%s'", id)
	}
	s.jobs = slices.Delete(s.jobs, i, i+1)
	return Result{Content: fmt.Sprintf("Cancelled job %s.", id), Use: object.Of("id", id)}
}

func clock(t time.Time) string { return t.Format("Jan 2 3:04pm") }

// schedule says in words when a job runs, where that is simple.
func schedule(cron string) string {
	f := strings.Fields(cron)
	if len(f) != 5 {
		return cron
	}
	minute, errM := strconv.Atoi(f[0])
	hour, errH := strconv.Atoi(f[1])
	if errM == nil && errH == nil && f[2] == "*" && f[3] == "*" && f[4] == "*" {
		return "Every day at " + time.Date(2000, 1, 1, hour, minute, 0, 0, time.UTC).Format("3:04 PM")
	}
	return cron
}

// next returns when a job runs after a time.
func next(cron string, after time.Time) (time.Time, bool) {
	f := strings.Fields(cron)
	if len(f) != 5 {
		return time.Time{}, false
	}
	var sets [5][]bool
	for i, bounds := range [5][2]int{{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 7}} {
		set, ok := field(f[i], bounds[0], bounds[1])
		if !ok {
			return time.Time{}, false
		}
		sets[i] = set
	}
	t := after.Truncate(time.Minute).Add(time.Minute)
	for range 366 * 24 * 60 {
		day := int(t.Weekday())
		if sets[0][t.Minute()] && sets[1][t.Hour()] && sets[2][t.Day()] && sets[3][t.Month()] && (sets[4][day] || day == 0 && sets[4][7]) {
			return t, true
		}
		t = t.Add(time.Minute)
	}
	return time.Time{}, false
}

// field reads a field of a cron expression: *, numbers, ranges, steps, lists.
func field(text string, low, high int) ([]bool, bool) {
	set := make([]bool, high+1)
	for _, item := range strings.Split(text, ",") {
		item, stepText, stepped := strings.Cut(item, "/")
		from, to, step := low, high, 1
		if stepped {
			n, err := strconv.Atoi(stepText)
			if err != nil || n < 1 {
				return nil, false
			}
			step = n
		}
		if item != "*" {
			first, last, isRange := strings.Cut(item, "-")
			n, err := strconv.Atoi(first)
			if err != nil {
				return nil, false
			}
			from = n
			if !stepped {
				to = n
			}
			if isRange {
				if to, err = strconv.Atoi(last); err != nil {
					return nil, false
				}
			}
		}
		if from < low || to > high {
			return nil, false
		}
		for i := from; i <= to; i += step {
			set[i] = true
		}
	}
	return set, true
}
