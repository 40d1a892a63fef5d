//go:build live

package scoreboard

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/scoreboard/install"
)

func TestLiveEveryOptionOfTheSDKsHasItsPlace(t *testing.T) {
	tables := optionTables(t)
	node, err := install.Node.Installed(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	typings, err := os.ReadFile(filepath.Join(node, "node_modules", "@anthropic-ai", "claude-agent-sdk", "sdk.d.ts"))
	if err != nil {
		t.Fatal(err)
	}
	tables["Options"].compare(t, "the TypeScript SDK", typedOptions(string(typings)))
	python, err := install.Python.Installed(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	const list = "import dataclasses, claude_agent_sdk as s; print(*(f.name for f in dataclasses.fields(s.ClaudeAgentOptions)))"
	out, err := exec.CommandContext(t.Context(), filepath.Join(python, "bin", "python"), "-c", list).Output()
	if err != nil {
		t.Fatal(err)
	}
	tables["ClaudeAgentOptions"].compare(t, "the Python SDK", strings.Fields(string(out)))
}

// compare fails if a table does not have the options that an SDK has.
func (o optionTable) compare(t *testing.T, sdk string, options []string) {
	t.Helper()
	if len(options) < 30 {
		t.Fatalf("%s: %d options were found: %q", sdk, len(options), options)
	}
	for _, name := range options {
		if o[name] == nil {
			t.Errorf("docs/options.md does not say what is in the place of %s of %s", name, sdk)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(options, name) {
			t.Errorf("docs/options.md has %s, which %s no longer has", name, sdk)
		}
	}
}
