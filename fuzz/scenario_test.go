package fuzz_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/suite/scenario"
	"github.com/ccwire/ccwire/internal/suite/sdk"
)

// FuzzScenario holds the reader of scenarios for CLIs to: errors that say where, steps in their
// order, patterns that match the same after they were written and read again and bind nothing when
// they do not fit, and lines that are JSON still when what they refer to is filled in.
func FuzzScenario(f *testing.F) {
	addScenarios(f, "scenarios")
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := scenario.Parse("a/b", data)
		if err != nil {
			checkPlace(t, err, data)
			return
		}
		if s.Area() != "a" || len(s.Steps) == 0 && s.Title == "" && s.Prose == "" {
			t.Fatalf("area %q, %q, %d steps", s.Area(), s.Title, len(s.Steps))
		}
		line := 0
		for _, step := range s.Steps {
			if step.Line < line || step.Line > lineCount(data) {
				t.Fatalf("a step of line %d follows one of line %d", step.Line, line)
			}
			line = step.Line
			for _, p := range patterns(step.Op) {
				checkPattern(t, p)
			}
			if send, ok := step.Op.(scenario.Send); ok {
				checkExpanded(t, send.Text)
			}
		}
	})
}

// FuzzSDKScenario holds the reader of scenarios for SDKs to: errors that say where, and a level
// and steps in what has none.
func FuzzSDKScenario(f *testing.F) {
	addScenarios(f, "sdk-scenarios")
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := sdk.Parse("a/b", data)
		switch {
		case err != nil:
			checkPlace(t, err, data)
		case s.Area() != "a" || len(s.Steps) == 0 || s.Level == "" || s.Harm == "" || s.Source() == "" || !json.Valid(s.Script):
			t.Fatalf("a scenario that lacks something: %+v", s)
		}
	})
}

func addScenarios(f *testing.F, folder string) {
	names, err := filepath.Glob(filepath.Join("../conformance", folder, "*/*.txtar"))
	if err != nil || len(names) == 0 {
		f.Fatalf("no scenarios: %v", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

func lineCount(data []byte) int { return 1 + bytes.Count(data, []byte("\n")) }

func checkPlace(t *testing.T, err error, data []byte) {
	t.Helper()
	var e *scenario.Error
	if !errors.As(err, &e) || e.Name != "a/b" || e.Line < 0 || e.Line > lineCount(data) {
		t.Fatalf("error %T: %v", err, err)
	}
}

// patterns returns those of a step.
func patterns(op scenario.Op) (list []*scenario.Pattern) {
	switch op := op.(type) {
	case scenario.Expect:
		list = append(list, op.Pattern)
	case scenario.Not:
		list = append(list, op.Pattern)
	case scenario.Never:
		list = append(list, op.Pattern)
	case scenario.Unordered:
		for _, a := range op.Patterns {
			list = append(list, a.Pattern)
		}
	}
	return list
}

func checkPattern(t *testing.T, p *scenario.Pattern) {
	t.Helper()
	again, err := scenario.ParsePattern(p.String())
	if err != nil || again.String() != p.String() {
		t.Fatalf("%s read again: %v, %v", p, again, err)
	}
	for _, doc := range []string{p.String(), "{}", `{"type":"result","subtype":"success","n":1.5,"list":["",null,{"a":true}]}`} {
		bound := scenario.Vars{"cwd": "/x"}
		before := maps.Clone(bound)
		first, second := p.Match([]byte(doc), bound), again.Match([]byte(doc), before)
		if (first == nil) != (second == nil) {
			t.Fatalf("%s on %s: %v, read again %v", p, doc, first, second)
		}
		if first != nil && (len(bound) != 1 || first.Error() == "") {
			t.Fatalf("%s does not fit %s (%v), and binds %v", p, doc, first, bound)
		}
	}
}

func checkExpanded(t *testing.T, text string) {
	t.Helper()
	vars := scenario.Vars{"cwd": `/a "b"\c`, "home": "/h\n", "tmp": "\u2028", "x": ""}
	filled, err := vars.ExpandJSON(text)
	if err == nil && json.Valid([]byte(text)) && !json.Valid([]byte(filled)) && !strings.Contains(text, "${repeat:") {
		t.Fatalf("%s becomes %s", text, filled)
	}
}
