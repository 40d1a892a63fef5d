// Package clienv makes the environment of a CLI that talks to a fake Messages API and to nothing
// else.
package clienv

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// API returns the variables that make a CLI talk to the API at a URL, with a key that is none, and
// that switch off what it does with other addresses. They are not enough where LeadsElsewhere holds
// for another variable.
func API(url string) []string {
	return []string{
		"ANTHROPIC_API_KEY=sk-ant-dummy",
		"ANTHROPIC_BASE_URL=" + url,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1",
		"DISABLE_TELEMETRY=1",
	}
}

// kept are the variables without which programs do not run.
var kept = []string{"PATH", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "COMSPEC", "PATHEXT"}

// Clean returns a whole environment: nothing of this process's but where programs and temporary
// files are. The home is a folder, which also holds what the CLI keeps for itself.
func Clean(url, home string) (env []string) {
	for _, name := range kept {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	env = append(env, "HOME="+home, "USERPROFILE="+home, "CLAUDE_CONFIG_DIR="+filepath.Join(home, ".claude"))
	return append(env, API(url)...)
}

// LeadsElsewhere reports whether a variable could lead a CLI to another address than the API, or
// give it a secret: keys and tokens, other providers, proxies.
func LeadsElsewhere(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasPrefix(name, "ANTHROPIC_") || strings.HasPrefix(name, "CLAUDE_CODE_") || name == "CLAUDECODE" ||
		slices.Contains([]string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}, name)
}
