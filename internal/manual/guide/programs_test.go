//go:build languages

package guide_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/conformance"
	"github.com/ccwire/ccwire/conformance/sim"
	"github.com/ccwire/ccwire/internal/workshop"
)

// notJudged are features that neither SDK of the guide has, by the scenarios that need them.
var notJudged = []string{"refuse/close-early-query", "refuse/close-with-start-context", "send/query", "surface/cut-result-query"}

// A language is one that an SDK of the guide is written in.
type language struct {
	program string
	folder  func(t *testing.T) string // where it can be run
	hello   string
	driver  string
}

var languages = map[string]language{
	"Python":     {program: "python3", folder: inPython, hello: "hello.py", driver: "driver.py"},
	"TypeScript": {program: "node", folder: inTypeScript, hello: "hello.js", driver: "driver.mjs"},
}

// inPython copies the programs beside the core of a driver.
func inPython(t *testing.T) string {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("programs/python")); err != nil {
		t.Fatal(err)
	}
	core(t, dir, "python/ccwire_driver.py")
	return dir
}

// inTypeScript compiles the programs beside the core of a driver. What the compiler finds fails.
func inTypeScript(t *testing.T) string {
	dir := workshop.Node(t, "programs/typescript")
	core(t, dir, "node/ccwire-driver.mjs")
	workshop.Run(t, dir, "node", "node_modules/typescript/bin/tsc")
	return dir
}

func core(t *testing.T, dir, name string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../conformance/driver/kit", name))
	if err != nil {
		t.Fatal(err)
	}
	workshop.Write(t, filepath.Join(dir, filepath.Base(name)), text)
}

func TestAnSDKOfTheGuideKeepsEveryRule(t *testing.T) {
	for name, l := range languages {
		t.Run(name, func(t *testing.T) {
			dir := l.folder(t)
			report, err := conformance.RunSDK(t.Context(), conformance.Command(l.program, filepath.Join(dir, l.driver)), nil)
			if err != nil {
				t.Fatal(err)
			}
			var left []string
			for _, r := range report.Results {
				switch r.Status {
				case conformance.Pass:
				case conformance.NotApplicable:
					left = append(left, r.Scenario)
				default:
					t.Errorf("%s: %s: %s", r.Scenario, r.Status, r.Reason)
				}
			}
			slices.Sort(left)
			if diff := cmp.Diff(notJudged, left); diff != "" {
				t.Errorf("not judged by (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAProgramOfTheGuideSaysWhatItDoes(t *testing.T) {
	for name, l := range languages {
		t.Run(name, func(t *testing.T) {
			cli, err := sim.New([]byte(`{"turns": [
				{"content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "hello.txt", "content": "Hello."}}]},
				{"content": [{"type": "tool_use", "name": "Write", "input": {"file_path": "run.sh", "content": "echo"}}]},
				{"text": "Only the text."}
			]}`))
			if err != nil {
				t.Fatal(err)
			}
			dir, cwd := l.folder(t), t.TempDir()
			claude, err := cli.Install(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), l.program, filepath.Join(dir, l.hello), claude)
			cmd.Dir, cmd.Stderr = cwd, os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("[Write]\n[Write]\nOnly the text.\nsuccess, 3 steps\n", string(out)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			files, err := filepath.Glob(filepath.Join(cwd, "*"))
			if err != nil || len(files) != 1 || filepath.Base(files[0]) != "hello.txt" {
				t.Errorf("in the folder: %v, %v", files, err)
			}
		})
	}
}

// TestAnSDKOfTheGuideHas150Lines counts lines that are neither empty nor a comment alone.
func TestAnSDKOfTheGuideHas150Lines(t *testing.T) {
	code := regexp.MustCompile(`(?m)^\s*[^\s#/].*$|^\s*/[^/].*$`)
	for _, name := range []string{"programs/python/sdk.py", "programs/typescript/sdk.ts"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(code.FindAllString(string(text), -1)); n > 150 || n < 100 {
			t.Errorf("%s has %d lines of code", name, n)
		}
		if strings.Contains(string(text), "\t") {
			t.Errorf("%s has tabs", name)
		}
	}
}
