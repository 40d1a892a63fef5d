package linecheck_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/linecheck"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/internal/terminal"
)

// brokenAnswers is what the SDK's side has broken on purpose in the answers of recordings, to see
// what the CLI does: the scenario or transcript, and the place in the body.
var brokenAnswers = []string{
	"hook/invalid-output /hookSpecificOutput/permissionDecision",
	"hook/output-null ",
	"hook/output-string ",
	"hook/python-keys-ignored /async_",
	"hook/python-keys-ignored /continue_",
	"hook/wrong-event-name /hookSpecificOutput/hookEventName",
	"permission/allow-extra-members /noSuchMember",
	"permission/invalid-behavior-ask /behavior",
	"permission/invalid-behavior-unknown /behavior",
	"permission/invalid-deny-without-message /message",
	"permission/invalid-empty /behavior",
	"permission/invalid-interrupt-string /interrupt",
	"permission/invalid-no-response ",
	"permission/invalid-updated-input-null /updatedInput",
	"permission/invalid-updated-input-string /updatedInput",
	"permission/updated-permissions-malformed /updatedPermissions/0/type",
	"permission/updated-permissions-malformed /updatedPermissions/1",
	"permission/updated-permissions-null-rule /updatedPermissions/0/rules/0/ruleContent",
	"sessions/2.1.325/allow-extra /foo",
	"sessions/2.1.325/unknown-permission-update /updatedPermissions/0/type",
}

// neverAsked is the scenario in which the SDK answers what the CLI has not asked.
const neverAsked = "input/unknown-response-id"

func TestEveryRecordedAnswerFitsWhatWasAsked(t *testing.T) {
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	byFile := map[string]*corpus.Session{}
	var files []string
	for _, s := range sessions {
		name := filepath.Join("../../conformance/recordings", filepath.FromSlash(s.Path)+".ndjson")
		byFile[name] = s
		files = append(files, name)
	}
	for _, lint := range []bool{false, true} {
		if testing.Short() && lint {
			continue // as many lines once more
		}
		seen := map[string]bool{}
		unasked := 0
		r := linecheck.Run{
			Checker:    linecheck.New(lint),
			Unreadable: func(err error) { t.Error(err) },
			Emit: func(f linecheck.Finding) error {
				path, inside := strings.CutPrefix(f.Path, "/response/response")
				if !inside {
					return nil // another test is about lines
				}
				s := byFile[f.File]
				at := fmt.Sprintf("%s %s", nameOf(s), path)
				if !slices.Contains(brokenAnswers, at) || s.Entries[f.Line-1].Dir != recording.ToCLI {
					t.Errorf("lint %v: %s", lint, f.Text(terminal.Style{}))
				}
				seen[at] = true
				return nil
			},
		}
		sum, err := r.Files(files)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range brokenAnswers {
			if !seen[at] {
				t.Errorf("lint %v: %s is listed as broken, and is not", lint, at)
			}
		}
		for _, s := range sessions {
			if nameOf(s) == neverAsked {
				unasked++
			}
		}
		if sum.Unchecked != unasked || unasked == 0 {
			t.Errorf("%d replies were not checked, want the %d of %s", sum.Unchecked, unasked, neverAsked)
		}
	}
}

// nameOf returns the scenario of a session, or the path of a transcript.
func nameOf(s *corpus.Session) string {
	if s.Scenario != "" {
		return s.Scenario
	}
	return s.Path
}
