//go:build live

package examples

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/examples/internal/livetest"
)

func TestLiveExamplesDoWhatTheyDoOffline(t *testing.T) {
	folder := build(t)
	for _, s := range sessions {
		t.Run(s.example, func(t *testing.T) {
			opts, api := livetest.Start(t, turns(t, script(t, s.example)))
			env := append(opts.Env, "CLAUDE_CLI="+opts.CLI)
			got := run(t, folder, s.example, opts.Dir, env, s.stdin, s.argsIn(opts.Dir)...)
			if diff := cmp.Diff(fmt.Sprint(outcome{stdout: s.stdout}), fmt.Sprint(got)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			var failed []bool
			for _, result := range livetest.ToolResults(api) {
				failed = append(failed, result.IsError)
			}
			if diff := cmp.Diff(s.results, failed); diff != "" {
				t.Errorf("which tools failed: -want +got\n%s", diff)
			}
		})
	}
}

// turns returns the part of a script that is the model's: the tools of the real CLI act.
func turns(t *testing.T, script []byte) string {
	t.Helper()
	var part struct {
		Turns json.RawMessage `json:"turns"`
	}
	if err := json.Unmarshal(script, &part); err != nil {
		t.Fatal(err)
	}
	return `{"turns":` + string(part.Turns) + `}`
}

func TestLiveExamplesFailWhenTheModelCannotBeAsked(t *testing.T) {
	folder := build(t)
	refusal := `{"turns":[{"error":{"status":%d,"message":"not today"},"times":-1}]}`
	for _, row := range []struct{ name, script, env, stderr string }{
		{"no login", `{}`, "ANTHROPIC_API_KEY=", `the turn failed: Not logged in`},
		{"401", fmt.Sprintf(refusal, 401), "CLAUDE_CODE_MAX_RETRIES=0", `the turn failed: status 401 of the API: .*not today`},
		{"429", fmt.Sprintf(refusal, 429), "CLAUDE_CODE_MAX_RETRIES=0", `the turn failed: status 429 of the API: .*not today`},
	} {
		for _, s := range sessions {
			t.Run(row.name+"/"+s.example, func(t *testing.T) {
				opts, _ := livetest.Start(t, row.script)
				env := append(opts.Env, "CLAUDE_CLI="+opts.CLI, row.env)
				prompt, _, _ := strings.Cut(s.stdin, "\n")
				got := run(t, folder, s.example, opts.Dir, env, prompt, s.argsIn(opts.Dir)...)
				if got.code != 1 || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 ||
					!regexp.MustCompile("^"+s.example+": (one: )?"+row.stderr).MatchString(got.stderr) {
					t.Errorf("%+v", got)
				}
			})
		}
	}
}
