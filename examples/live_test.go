//go:build live

package examples

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/examples/internal/livetest"
	"github.com/ccwire/ccwire/internal/conformance/npm"
	"github.com/ccwire/ccwire/internal/conformance/recording"
)

var update = flag.Bool("update", false, "write the sessions of examples/internal/offline")

func TestLiveExamplesDoWhatTheirRecordedSessionsShow(t *testing.T) {
	folder := build(t)
	for _, s := range sessions {
		t.Run(s.example, func(t *testing.T) {
			opts, api := livetest.Start(t, s.script)
			file := filepath.Join(t.TempDir(), "session.ndjson")
			env := append(opts.Env, "CLAUDE_CLI="+self(t), realEnv+"="+opts.CLI, recordEnv+"="+file)
			got := run(t, folder, s.example, opts.Dir, env, s.argsIn(opts.Dir)...)
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
			if *update {
				save(t, s.example, file, filepath.Dir(opts.Dir))
			}
		})
	}
}

// save scrubs a recording and makes it the session of an example.
func save(t *testing.T, example, file, root string) {
	t.Helper()
	entries, err := recording.ReadFile(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	entries[0].Scenario, entries[0].Version = "examples/"+example, npm.Pinned()
	scrubber := recording.Scrubber{Names: recording.NewNames(npm.Pinned(), root)}
	var b bytes.Buffer
	if err := recording.Write(&b, scrubber.Entries(inOrder(entries))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("internal", "offline", "sessions", example+".ndjson")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// inOrder puts the answer to initialize and the prompt before the MCP traffic of the start: in a
// session they overtake each other, and a replay waits for its lines in their order.
func inOrder(entries []recording.Entry) []recording.Entry {
	var first, rest []recording.Entry
	answered, prompted := false, false
	for i, e := range entries {
		kind, _ := codec.Raw(e.Line).Find("/type").Text()
		switch {
		case i < 2:
			first = append(first, e)
		case !answered && e.Dir == recording.ToSDK && kind == "control_response":
			answered = true
			first = append(first, e)
		case !prompted && e.Dir == recording.ToCLI && kind == "user":
			prompted = true
			first = append(first, e)
		default:
			rest = append(rest, e)
		}
	}
	return append(first, rest...)
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
				got := run(t, folder, s.example, opts.Dir, env, s.argsIn(opts.Dir)...)
				if got.code != 1 || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 ||
					!regexp.MustCompile("^"+s.example+": "+row.stderr).MatchString(got.stderr) {
					t.Errorf("%+v", got)
				}
			})
		}
	}
}
