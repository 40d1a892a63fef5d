package clienv

import (
	"slices"
	"strings"
	"testing"
)

func TestACleanEnvironmentHasNothingOfTheCallers(t *testing.T) {
	t.Setenv("PATH", "/bin")
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CONFIG_DIR", "HTTPS_PROXY", "HOME", "USERPROFILE"} {
		t.Setenv(name, "mine")
	}
	env := Clean("http://127.0.0.1:1", "/scratch")
	for _, want := range []string{"PATH=/bin", "HOME=/scratch", "ANTHROPIC_BASE_URL=http://127.0.0.1:1", "ANTHROPIC_API_KEY=sk-ant-dummy"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing in %q", want, env)
		}
	}
	for _, v := range env {
		if strings.HasSuffix(v, "=mine") {
			t.Errorf("the environment has %s", v)
		}
	}
}

func TestWhatLeadsTheCLIElsewhereIsKnown(t *testing.T) {
	for name, want := range map[string]bool{
		"ANTHROPIC_AUTH_TOKEN": true, "CLAUDE_CODE_USE_VERTEX": true, "CLAUDE_CODE_OAUTH_TOKEN": true, "CLAUDECODE": true, "https_proxy": true,
		"CLAUDE_CLI": false, "PATH": false, "NO_PROXY": false,
	} {
		if LeadsElsewhere(name) != want {
			t.Errorf("%s: %v, want %v", name, !want, want)
		}
	}
}
