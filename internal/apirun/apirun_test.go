package apirun

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/sandbox"
)

func TestARequestIsToldInOneLine(t *testing.T) {
	for want, q := range map[string]fakeapi.Request{
		`main "greet\nme": turn 1`: {
			From: fakeapi.Main, Text: "greet\nme", Turn: 1, Answer: fakeapi.FromTurn, Status: 200, Outcome: fakeapi.Complete},
		`subagent, result of Write, result of Bash (an error): turn 2`: {
			From: fakeapi.Subagent, ToolResults: []fakeapi.ToolResult{{Tool: "Write"}, {Tool: "Bash", IsError: true}}, Turn: 2, Answer: fakeapi.FromTurn, Status: 200, Outcome: fakeapi.Complete},
		`main "more": no turn is left`: {
			From: fakeapi.Main, Text: "more", Answer: fakeapi.Exhausted, Status: 200, Outcome: fakeapi.Complete},
		`main "go": turn 3, status 529`: {
			From: fakeapi.Main, Text: "go", Turn: 3, Answer: fakeapi.FromTurn, Status: 529, Outcome: fakeapi.Complete},
		`main "wait": turn 4, stalled`: {
			From: fakeapi.Main, Text: "wait", Turn: 4, Answer: fakeapi.FromTurn, Outcome: fakeapi.Stalled},
		`GET /v1/models: off-script, status 404`: {
			Method: "GET", Path: "/v1/models", Answer: fakeapi.OffScript, Status: 404, Outcome: fakeapi.Complete},
	} {
		if got := Line(q); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestTheEnvironmentOfACommandIsTheCallersWithoutWhatLeadsElsewhere(t *testing.T) {
	base := []string{"PATH=/bin", "HOME=/home/me", "XDG_CONFIG_HOME=/home/me/.config", "CLAUDE_CONFIG_DIR=/home/me/.claude", "ANTHROPIC_API_KEY=real", "https_proxy=http://proxy.example"}
	c := Command{URL: "http://127.0.0.1:1", Scratch: &sandbox.Scratch{Home: "/s/home", Config: "/s/config"}}
	api := []string{
		"ANTHROPIC_API_KEY=sk-ant-dummy", "ANTHROPIC_BASE_URL=http://127.0.0.1:1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "CLAUDE_CONFIG_DIR=/s/config",
	}
	if diff := cmp.Diff(append([]string{"PATH=/bin", "HOME=/s/home", "USERPROFILE=/s/home"}, api...), c.Env(base)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	c.KeepHome = true
	if diff := cmp.Diff(append([]string{"PATH=/bin", "HOME=/home/me", "XDG_CONFIG_HOME=/home/me/.config"}, api...), c.Env(base)); diff != "" {
		t.Errorf("with the home: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"https_proxy"}, Elsewhere(base, c.URL)); diff != "" {
		t.Errorf("elsewhere: -want +got\n%s", diff)
	}
}
