package main

import (
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// notRun are parts of examples that need more than this test has, with the reason.
var notRun = map[string]string{
	"--npm ":                  "needs the network; make live runs them",
	"--install ":              "needs the network; cli.txtar has an npm of its own",
	"--bin ":                  "needs a CLI",
	"claude -p":               "needs a CLI",
	"cli path ":               "needs an installed version; cli.txtar has one",
	"python3 ":                "needs a parser; fuzz.txtar has one",
	"python agent.py":         "needs a CLI; simrecord.txtar has one",
	"--refresh ":              "needs a CLI; simrecord.txtar has one",
	"node ":                   "needs a parser",
	"--driver ./driver":       "needs a driver; conform-sdk.txtar has one",
	"--port ":                 "serves until it is stopped; TestAPIPrintsTheEnvironmentForAShell does",
	"protogen generate":       "changes the checkout; generate.txtar has one of its own",
	"protogen bisect":         "needs the network; bisect.txtar has an npm of its own",
	"protogen drift":          "takes long; drift.txtar runs it",
	"protogen compatibility":  "takes long; compatibility.txtar runs it",
	"record session.ndjson >": "needs what a tap wrote; simrecord.txtar has it",
	"protogen replay":         "needs what a tap wrote; replay.txtar has it",
}

// TestExamplesInTheHelpRun runs the examples in a shell, as a user who copies them does.
func TestExamplesInTheHelpRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs every verb; make test-all runs it")
	}
	dir := t.TempDir()
	const line = `{"type":"keep_alive"}` + "\n"
	writeExample(t, filepath.Join(dir, "go.mod"), "module example.com/sdk\n", false)
	writeExample(t, filepath.Join(dir, "sdk.go"), "package sdk\n\nimport \"example.com/sdk/internal/wire\"\n\nvar _ wire.Assistant\n", false)
	recording, err := os.ReadFile("../../conformance/recordings/2.1.325/turn/minimal-user.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	writeExample(t, filepath.Join(dir, "recording.ndjson"), string(recording), false)
	for _, name := range []string{"session.ndjson", "before.ndjson", "after.ndjson"} {
		writeExample(t, filepath.Join(dir, name), line, false)
	}
	for _, name := range []string{"script.json", "testdata/script.json"} {
		writeExample(t, filepath.Join(dir, name), `{"turns": [{"text": "hi"}]}`, false)
	}
	writeExample(t, filepath.Join(dir, "recording.ndjson.gz"), line, true)
	writeExample(t, filepath.Join(dir, "recordings", "a.ndjson.gz"), line, true)
	writeExample(t, filepath.Join(dir, ".claude/projects/a/b.jsonl"), `{"type":"last-prompt","lastPrompt":"hi","leafUuid":"00000000-0000-4000-8000-000000000002","sessionId":"00000000-0000-4000-8000-000000000001"}`+"\n", false)
	writeExample(t, filepath.Join(dir, ".local/share/bash-completion/completions/other"), "", false)
	seen, used := map[string]bool{}, map[string]bool{}
	each(func(cmd *cobra.Command) {
		for example := range strings.Lines(cmd.Example) {
			example = strings.TrimSpace(example)
			if seen[example] || example == "" || example == "protogen conform" { // .ci/run runs it
				continue
			}
			seen[example] = true
			run := true
			for part := range notRun {
				if strings.Contains(example, part) {
					run, used[part] = false, true
				}
			}
			if !run {
				continue
			}
			shell := exec.Command("sh", "-c", example)
			shell.Dir = dir
			shell.Env = append(os.Environ(), "HOME="+dir, "CCWIRE_CACHE="+dir)
			if out, err := shell.CombinedOutput(); err != nil {
				t.Errorf("%s: example %q: %v\n%s", cmd.CommandPath(), example, err, out)
			}
		}
	})
	for part := range notRun {
		if !used[part] {
			t.Errorf("no example has %q", part)
		}
	}
}

func writeExample(t *testing.T, path, text string, zipped bool) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if zipped {
		z := gzip.NewWriter(f)
		defer z.Close()
		_, err = z.Write([]byte(text))
	} else {
		_, err = f.WriteString(text)
	}
	if err != nil {
		t.Fatal(err)
	}
}
