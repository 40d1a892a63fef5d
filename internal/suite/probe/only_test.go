package probe

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

func TestOnlyTheGivenNamesAreTried(t *testing.T) {
	f := newFake(t, "brand_new")
	f.requests["brand_new"], f.requests["nobody_knows"] = succeeds, succeeds
	delete(f.requests, "get_plan")
	f.flags["--old"] = true
	f.types["keep_alive"] = succeeds
	f.events = slices.DeleteFunc(f.events, func(name string) bool { return name == "Stop" })
	names := map[Kind][]string{
		Request:   {"end_session", "get_plan", "nobody_knows", "set_model"},
		StdinType: {"keep_alive", "made_of_nothing"},
		HookEvent: {"PreToolUse", "Stop"},
		Flag:      {"--new", "--old"},
	}
	want := map[Kind][]string{
		Request: {"end_session", "nobody_knows", "set_model"}, StdinType: {"keep_alive"}, HookEvent: {"PreToolUse"}, Flag: {"--old"},
	}
	got, tried := map[Kind][]string{}, map[Kind]int{}
	synctest.Test(t, func(t *testing.T) {
		r, err := Run(t.Context(), f, Options{Names: names})
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range r.Findings {
			got[found.Kind], tried[found.Kind] = found.Recognised, found.Tried
		}
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[Kind]int{Request: 4, StdinType: 2, HookEvent: 2, Flag: 2}, tried); diff != "" {
		t.Error(diff)
	}
}

func TestAnEventThatTheCLIDoesNotKnowIsToldWithoutOthers(t *testing.T) {
	f := newFake(t)
	f.events = []string{"PreToolUse"}
	synctest.Test(t, func(t *testing.T) {
		r, err := Run(t.Context(), f, Options{Names: map[Kind][]string{HookEvent: {"Stop"}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Findings[0]; got.Unclear != "" || len(got.Recognised) > 0 {
			t.Errorf("got %+v", got)
		}
	})
}
