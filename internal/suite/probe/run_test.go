package probe

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/suite/simtarget"
)

// found is what a test looks at.
type found struct {
	New     []Finding
	Gone    []string
	Unclear string
	Limit   bool
}

// probeFake probes a CLI for one kind, with no real time for waiting.
func probeFake(t *testing.T, f *fakeCLI, kind Kind, flags ...FlagName) (got found) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r, err := Run(t.Context(), f, Options{Kinds: []Kind{kind}, Flags: flags})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) != 1 || r.Findings[0].Kind != kind {
			t.Fatalf("got %+v", r)
		}
		only := r.Findings[0]
		got = found{only.New, only.Gone, only.Unclear, only.Limit != ""}
	})
	return got
}

func TestRequestsAreToldByHowAMadeUpOneIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(f *fakeCLI)
		want   found
	}{
		{"as in the schemas", func(*fakeCLI) {}, found{}},
		{"new in the package", func(f *fakeCLI) { f.requests["brand_new"] = "brand_new wants more" },
			found{New: []Finding{{"brand_new", "error: brand_new wants more"}}}},
		{"new, of known words", func(f *fakeCLI) { f.requests["set_status"] = succeeds },
			found{New: []Finding{{"set_status", "success: {}"}}}},
		{"in neither", func(f *fakeCLI) { f.requests["nobody_knows"] = succeeds }, found{}},
		{"gone", func(f *fakeCLI) { delete(f.requests, "get_plan"); delete(f.requests, "stop_task") },
			found{Gone: []string{"get_plan", "stop_task"}}},
		{"not answered", func(f *fakeCLI) { f.requests["brand_new"] = hangs }, found{New: []Finding{{"brand_new", noReply}}}},
		{"the session dies", func(f *fakeCLI) { f.requests["brand_new"] = dies }, found{New: []Finding{{"brand_new", endsSession}}}},
		{"the session is stuck", func(f *fakeCLI) { f.requests["brand_new"], f.requests["set_model"] = blocks, blocks },
			found{New: []Finding{{"brand_new", "no reply, and the session answers nothing more"}}}},
		{"several kinds at once", func(f *fakeCLI) {
			f.requests["brand_a"], f.requests["brand_b"], f.requests["brand_c"], f.requests["brand_new"] = dies, dies, ends, hangs
			f.requests["set_model"], f.requests["interrupt"] = dies, succeeds
		}, found{New: []Finding{{"brand_a", endsSession}, {"brand_b", endsSession}, {"brand_c", "success: {}"}, {"brand_new", noReply}}}},
		{"unknown ones not answered", func(f *fakeCLI) {
			f.silent = true
			f.requests["brand_a"], f.requests["brand_b"], f.requests["brand_c"], f.requests["brand_new"] = dies, succeeds, ends, hangs
			delete(f.requests, "get_plan")
		}, found{New: []Finding{{"brand_a", endsSession}, {"brand_b", "success: {}"}, {"brand_c", "success: {}"}}, Gone: []string{"get_plan"}, Limit: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, "noise", "brand_a", "brand_b", "brand_c", "brand_new", "more_noise")
			tt.change(f)
			if diff := cmp.Diff(tt.want, probeFake(t, f, Request)); diff != "" {
				t.Error(diff)
			}
			if *f.starts > 40 {
				t.Errorf("%d sessions", *f.starts)
			}
		})
	}
}

func TestTypesAreToldByTheLogOrByTheEnd(t *testing.T) {
	const says = "error: got '%s'"
	for _, tt := range []struct {
		name   string
		change func(f *fakeCLI)
		want   found
	}{
		{"as in the schemas", func(*fakeCLI) {}, found{}},
		{"new", func(f *fakeCLI) { f.types["brand_new"] = succeeds }, found{New: []Finding{{"brand_new", noReply}}}},
		{"new, and the session dies", func(f *fakeCLI) { f.types["brand_new"], f.types["user"] = dies, dies },
			found{New: []Finding{{"brand_new", endsSession}}}},
		{"gone", func(f *fakeCLI) { delete(f.types, "keep_alive") }, found{Gone: []string{"keep_alive"}}},
		{"unknown ones are fatal", func(f *fakeCLI) { f.lastWord = says; delete(f.types, "keep_alive"); f.types["brand_new"] = succeeds },
			found{Gone: []string{"keep_alive"}, Limit: true}},
		{"unknown ones leave no trace", func(f *fakeCLI) { f.note = "" },
			found{Unclear: "a line of an unknown type is ignored, and the log does not tell"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, "noise", "brand_new")
			tt.change(f)
			if diff := cmp.Diff(tt.want, probeFake(t, f, StdinType)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEventsAreToldByWhatStaysInTheSettings(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(f *fakeCLI)
		want   found
	}{
		{"as in the schemas", func(*fakeCLI) {}, found{}},
		{"new", func(f *fakeCLI) { f.events = append(f.events, "BrandNew") }, found{New: []Finding{{"BrandNew", "stays in the settings"}}}},
		{"gone", func(f *fakeCLI) { f.events = []string{"Stop"} }, found{Gone: eventsBut("Stop")}},
		{"all stay", func(f *fakeCLI) { f.events = nil }, found{Unclear: "hooks of events that do not exist stay in the settings"}},
		{"no request for settings", func(f *fakeCLI) { delete(f.requests, "get_settings") },
			found{Unclear: "the request get_settings, which shows what the CLI takes of its settings, has no such answer"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, "Noise", "BrandNew")
			tt.change(f)
			if diff := cmp.Diff(tt.want, probeFake(t, f, HookEvent)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestModesAreToldWhereNotEveryOneIsTaken(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(f *fakeCLI)
		want   found
	}{
		{"as in the schemas", func(*fakeCLI) {}, found{}},
		{"new", func(f *fakeCLI) { f.modes = append(f.modes, "brandNew") }, found{New: []Finding{{"brandNew", "success: {}"}}}},
		{"no such request", func(f *fakeCLI) { delete(f.requests, "set_permission_mode") }, found{Unclear: "set_permission_mode refuses every mode"}},
		{"all are taken", func(f *fakeCLI) { f.modes = nil }, found{Unclear: "set_permission_mode succeeds with any mode"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, "noise", "brandNew")
			tt.change(f)
			if diff := cmp.Diff(tt.want, probeFake(t, f, PermissionMode)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFlagsAreToldByTheFirstThatIsRefused(t *testing.T) {
	f := newFake(t)
	f.path = writePackage(t, `p.option("--brand-new","d").option("-n, --number <n>","d").addOption(new $o("--other")).option("--sub","d");say("--text")`)
	for name, good := range map[string]bool{"--brand-new": true, "--number": false, "--other": true, "--text": true, "--model": true} {
		f.flags[name] = good
	}
	got := probeFake(t, f, Flag, FlagName{"--model", "1.0.59"}, FlagName{"--lost", "1.0.59"}, FlagName{"--later", "9.0.0"}, FlagName{"--help", ""})
	want := found{
		New: []Finding{
			{"--brand-new", "taken"},
			{"--number", "error: option '-q, --number <n>' argument 'x' is invalid"},
			{"--other", "taken"},
		},
		Gone: []string{"--lost"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	f.flags[madeUpFlag] = true
	if got := probeFake(t, f, Flag); got.Unclear == "" {
		t.Errorf("got %+v of a CLI that takes any flag", got)
	}
}

func TestAProbeThatIsStoppedSaysWhy(t *testing.T) {
	f := newFake(t, "brand_new")
	f.requests["brand_new"] = hangs
	why := errors.New("enough")
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancelCause(t.Context())
		_, err := Run(ctx, f, Options{Progress: func(kind Kind, done, all int) {
			if done > 0 {
				stop(why)
			}
		}})
		if !errors.Is(err, why) {
			t.Errorf("got %v", err)
		}
	})
}

func TestOnlyACLIOnDiskCanBeProbed(t *testing.T) {
	simulated, err := simtarget.New()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), simulated, Options{}); !errors.Is(err, ErrNoPackage) {
		t.Errorf("got %v", err)
	}
}
