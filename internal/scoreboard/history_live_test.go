//go:build live

package scoreboard

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/internal/scoreboard/install"
	"github.com/ccwire/ccwire/internal/suite"
	"github.com/ccwire/ccwire/internal/suite/sdk"
)

var only = flag.String("only", "", "judge only this release, SDK@VERSION")

// A played release is one of the history, with what drives it.
type played struct {
	release
	driver driver
	spawn  bool // it is a program that sends one prompt, since its API has no more
}

// typescript returns releases of the official TypeScript SDK.
func typescript(zod string, versions ...string) (all []played) {
	for _, v := range versions {
		r := release{SDK: "claude-agent-sdk-typescript", Version: v, Page: "https://www.npmjs.com/package/@anthropic-ai/claude-agent-sdk/v/" + v}
		all = append(all, played{release: r, driver: driver{SDK: install.NodeRelease(v, zod), program: []string{"node"}, judge: "driver.mjs"}})
	}
	return all
}

// python returns releases of a Python SDK.
func python(name string, versions ...string) (all []played) {
	for _, v := range versions {
		r := release{SDK: name + "-python", Version: v, Page: "https://pypi.org/project/" + name + "/" + v + "/"}
		d := driver{SDK: install.PythonRelease(name, v), program: []string{"bin/python"}, judge: "driver.py", warm: "warm.py"}
		all = append(all, played{release: r, driver: d})
	}
	return all
}

// others are SDKs that are not official, at the versions that are pinned beside their drivers.
var others = []played{
	{release{"instantlyeasy-claude-code-sdk-ts", "0.3.3", true, "https://www.npmjs.com/package/@instantlyeasy/claude-code-sdk-ts"},
		driver{SDK: install.OtherNode("claude-code-sdk-ts"), program: []string{"node"}, judge: "program.mjs"}, true},
	{release{"claude-sdk-lite", "0.3.0", true, "https://pypi.org/project/claude-sdk-lite/"},
		driver{SDK: install.OtherPython("claude-sdk-lite"), program: []string{"bin/python"}, judge: "driver.py"}, false},
	{release{"claude-cli-sdk", "0.2.1", true, "https://pypi.org/project/claude-cli-sdk/"},
		driver{SDK: install.OtherPython("claude-cli-sdk"), program: []string{"bin/python"}, judge: "driver.py"}, false},
	crate("cc-sdk", "0.8.1"),
	crate("claude-agent-sdk-rs", "0.6.4"),
	crate("claude-agents-sdk", "0.1.7"),
	crate("claude-codes", "2.1.316"),
}

// crate returns an SDK on crates.io.
func crate(name, version string) played {
	return played{
		release: release{name, version, true, "https://crates.io/crates/" + name + "/" + version},
		driver:  driver{SDK: install.OtherRust(name), program: []string{"target/debug/driver"}},
	}
}

func TestLiveVersionsOfOthersAreThoseThatArePinned(t *testing.T) {
	for _, p := range others {
		pins := ""
		for _, name := range []string{"package.json", "requirements.txt", "Cargo.toml"} {
			data, err := os.ReadFile(filepath.Join(p.driver.Folder, name))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			pins += string(data)
		}
		if !regexp.MustCompile(`[="]` + regexp.QuoteMeta(p.Version) + `("|\s|$)`).MatchString(pins) {
			t.Errorf("%s is not what %s pins:\n%s", p.release, p.driver.Folder, pins)
		}
	}
}

// TestLiveDriversOfOthersAreAnswering starts every driver of an SDK by others, which installs and
// builds it.
func TestLiveDriversOfOthersAreAnswering(t *testing.T) {
	for i := range others {
		p := &others[i]
		subject := &sdk.Subject{Args: p.driver.command(t), Spawn: p.spawn}
		if err := subject.Resolve(); err != nil {
			t.Fatal(err)
		}
		if err := subject.Probe(t.Context()); err != nil {
			t.Errorf("%s: %v", p.release, err)
		}
	}
}

// thePast is what the history is of: one release in ten or so.
func thePast() []played {
	return slices.Concat(
		typescript("3", "0.1.0", "0.1.10", "0.1.25", "0.1.37", "0.1.50", "0.1.61", "0.1.77"),
		typescript("4", "0.2.14", "0.2.37", "0.2.50", "0.2.70", "0.2.90", "0.2.110", "0.2.126", "0.2.141",
			"0.3.150", "0.3.170", "0.3.190", "0.3.210", "0.3.223", "0.3.240", "0.3.260", "0.3.280", "0.3.300"),
		python("claude-code-sdk", "0.0.20", "0.0.25"),
		python("claude-agent-sdk", "0.1.0", "0.1.6", "0.1.22", "0.1.50", "0.1.64", "0.1.81",
			"0.2.87", "0.2.100", "0.2.120", "0.2.140", "0.2.160"),
		others,
	)
}

// results plays scenarios with a release. What is known to fail is not played twice.
func (p *played) results(t *testing.T, scenarios []*sdk.Scenario, known suite.Known) []suite.Result {
	t.Helper()
	subject := &sdk.Subject{Args: p.driver.command(t), Spawn: p.spawn}
	if err := subject.Resolve(); err != nil {
		t.Fatal(err)
	}
	if err := subject.Probe(t.Context()); err != nil {
		t.Fatalf("%s: %v", p.release, err)
	}
	report, err := sdk.Run(t.Context(), sdk.Options{Scenarios: scenarios, Subject: subject, Parallel: parallel, Known: known})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d scenarios in %v", subject.Target(), len(report.Results), report.Duration.Round(time.Second))
	return report.Results
}

// TestHistoryIsJudged judges every release of the history, which takes an hour or two, or the one
// that the flag only names, and logs what came of it. With update it writes that down, after each.
func TestHistoryIsJudged(t *testing.T) {
	scenarios, err := sdk.All()
	if err != nil {
		t.Fatal(err)
	}
	seen := readHistory(t)
	past := thePast()
	for i := range past {
		p := &past[i]
		if *only != "" && *only != p.String() {
			continue
		}
		t.Run(p.String(), func(t *testing.T) {
			results := p.results(t, scenarios, nil)
			for _, r := range results {
				if *only != "" && r.Status == suite.Fail {
					t.Logf("%s: %s", r.Scenario, r.Reason)
				}
			}
			seen = slices.DeleteFunc(seen, func(v verdict) bool { return v.release == p.release })
			seen = append(seen, judgedAs(p.release, results))
			if *update {
				seen = writeHistory(t, past, seen)
			}
		})
	}
	if *update {
		writeHistory(t, past, seen)
	}
}

// writeHistory writes the verdicts on releases of the past, in its order, and returns them.
func writeHistory(t *testing.T, past []played, seen []verdict) []verdict {
	t.Helper()
	rank := map[release]int{}
	for i := range past {
		rank[past[i].release] = i
	}
	seen = slices.DeleteFunc(seen, func(v verdict) bool { _, ok := rank[v.release]; return !ok })
	slices.SortFunc(seen, func(a, b verdict) int { return rank[a.release] - rank[b.release] })
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	if err := enc.Encode(seen); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(historyFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(pageFile, page(t, readScores(t)), 0o644); err != nil {
		t.Fatal(err)
	}
	return seen
}

// workedOnce are releases that were in use, and the CLIs of their day.
var workedOnce = []struct{ sdk, zod, cli string }{
	{"0.1.77", "3", "2.0.77"},
	{"0.2.37", "4", "2.1.37"},
	{"0.2.90", "4", "2.1.90"},
}

func TestLiveReleasesThatWorkedAreNotAllRed(t *testing.T) {
	all, err := sdk.All()
	if err != nil {
		t.Fatal(err)
	}
	scenarios := slices.DeleteFunc(all, func(s *sdk.Scenario) bool { return s.Area() != "send" })
	scores := readScores(t)
	successor := scores[slices.IndexFunc(scores, func(s score) bool { return s.SDK == "claude-agent-sdk-typescript" })]
	once := suite.Known{{Pattern: "*", Reason: "nothing is played twice"}}
	for _, w := range workedOnce {
		p := typescript(w.zod, w.sdk)[0]
		for _, r := range p.results(t, scenarios, once) {
			if r.Status == suite.KnownFailing && successor.Results[r.Scenario] == suite.Pass {
				t.Errorf("%s: %s, which %s passes: %s", p.release, r.Scenario, successor.Version, r.Reason)
			}
		}
	}
}

// TestLiveCLIsTakeASystemPromptThatIsAString plays what these releases write first to the CLIs of
// their day.
func TestLiveCLIsTakeASystemPromptThatIsAString(t *testing.T) {
	const line = `{"request_id":"one","type":"control_request","request":{"subtype":"initialize","systemPrompt":""}}`
	cache, err := npm.DefaultCache()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range workedOnce {
		t.Run(w.cli, func(t *testing.T) {
			path, err := cache.Path(t.Context(), w.cli)
			if err != nil {
				t.Fatal(err)
			}
			script, err := fakeapi.ParseScript([]byte(`{"turns": []}`))
			if err != nil {
				t.Fatal(err)
			}
			api, err := fakeapi.Start(t.Context(), script)
			if err != nil {
				t.Fatal(err)
			}
			defer api.Close()
			scratch, err := sandbox.NewScratch(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer scratch.Remove()
			args := []string{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json"}
			if filepath.Ext(path) == ".js" {
				path, args = "node", append([]string{path}, args...)
			}
			cmd := exec.CommandContext(t.Context(), path, args...)
			cmd.Dir, cmd.Env = scratch.Cwd, scratch.Env(api.URL(), nil)
			cmd.Stdin = strings.NewReader(line + "\n")
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !answered(out) {
				t.Errorf("no success answers %s: %s", line, out)
			}
		})
	}
}

// answered reports whether a line is a success that answers the request named one.
func answered(out []byte) bool {
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l struct {
			Response struct {
				Subtype string
				ID      string `json:"request_id"`
			}
		}
		if json.Unmarshal(lines.Bytes(), &l) == nil && l.Response.ID == "one" {
			return l.Response.Subtype == "success"
		}
	}
	return false
}
