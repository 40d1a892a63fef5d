package brokensdk

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/sdk"
	"github.com/ccwire/ccwire/internal/suite/sdk/sdktest"
)

func TestMain(m *testing.M) {
	sdktest.Main(map[string]func([]string) int{"broken": func(args []string) int {
		if err := Serve(args[0], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if name := os.Getenv(reachedFile); name != "" {
			if err := os.WriteFile(name, []byte(strings.Join(Reached(), "\n")), 0o600); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
		}
		return 0
	}})
	os.Exit(m.Run())
}

// play plays scenarios with the SDK that has no bug.
func play(t *testing.T, list []*sdk.Scenario) []suite.Result {
	t.Helper()
	subject := sdktest.Subject("broken", "")
	if err := subject.Probe(context.Background()); err != nil {
		t.Fatal(err)
	}
	report, err := sdk.Run(context.Background(), sdk.Options{Scenarios: list, Subject: subject, Step: time.Minute, Timeout: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return report.Results
}

func all(t *testing.T) []*sdk.Scenario {
	t.Helper()
	list, err := sdk.All()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestEachBugIsCaughtByTheScenariosThatNameIt(t *testing.T) {
	for _, bug := range Bugs {
		t.Run(bug.Name, func(t *testing.T) {
			t.Parallel()
			var list []*sdk.Scenario
			for _, s := range all(t) {
				if slices.Contains(s.Catches, bug.Name) {
					list = append(list, s)
				}
			}
			if len(list) == 0 {
				t.Fatal("no scenario names it")
			}
			if testing.Short() && bug.Kind > 4 {
				t.Skip("make test-all plays all")
			}
			for _, r := range playAll(t, bug.Name, list, 2*time.Second) {
				if r.Status != suite.Fail {
					t.Errorf("%s does not catch that %s: %s %s", r.Scenario, bug.What, r.Status, r.Reason)
				} else {
					t.Logf("%s: %.300s", r.Scenario, r.Reason)
				}
			}
		})
	}
}

func TestEveryKindOfBugIsThere(t *testing.T) {
	for kind := 1; kind <= 25; kind++ {
		if !slices.ContainsFunc(Bugs, func(b Bug) bool { return b.Kind == kind }) {
			t.Errorf("no bug of kind %d", kind)
		}
	}
	for _, s := range all(t) {
		for _, name := range s.Catches {
			if !Known(name) {
				t.Errorf("%s catches %s, which is no bug", s.Name, name)
			}
		}
	}
}

func TestAnSDKWithoutAHandshakeIsNotAccusedOfFaultsInIt(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all plays all")
	}
	open := 0
	for _, r := range playAll(t, NoHandshake, all(t), 20*time.Second) {
		switch {
		case r.Status == suite.Fail && r.Scenario != "send/initialize":
			t.Errorf("%s: %s (line %d: %s)", r.Scenario, r.Reason, r.Line, r.Step)
		case r.Status == suite.Inconclusive:
			open++
		}
	}
	if open < 6 {
		t.Errorf("%d scenarios are inconclusive", open)
	}
}

func TestACorrectSDKIsNotAccused(t *testing.T) {
	list := all(t)
	if testing.Short() { // make test-all plays all
		list = list[:8]
	}
	for _, r := range play(t, list) {
		if r.Status == suite.Fail {
			t.Errorf("%s: %s (line %d: %s)", r.Scenario, r.Reason, r.Line, r.Step)
		}
	}
}
