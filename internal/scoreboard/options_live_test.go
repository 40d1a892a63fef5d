//go:build live

package scoreboard

import (
	"os"
	"os/exec"
	"path/filepath"
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
