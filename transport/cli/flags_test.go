package cli

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func pointer[T any](v T) *T { return &v }

func TestArgsPassesEachKindOfFlag(t *testing.T) {
	tests := []struct {
		name  string
		flags *Flags
		want  []string
	}{
		{"nil", nil, nil},
		{"nothing set", &Flags{}, nil},
		{"bool", &Flags{Continue: true}, []string{"--continue"}},
		{"bool that takes a word", &Flags{PromptSuggestions: true}, []string{"--prompt-suggestions=true"}},
		{"string", &Flags{Model: "opus"}, []string{"--model=opus"}},
		{"string with a dash", &Flags{AppendSystemPrompt: "--help"}, []string{"--append-system-prompt=--help"}},
		{"string with an equals sign, newlines and quotes", &Flags{AppendSystemPrompt: "a=b\n'$HOME' \"c\""}, []string{"--append-system-prompt=a=b\n'$HOME' \"c\""}},
		{"empty string that means something", &Flags{SystemPrompt: pointer("")}, []string{"--system-prompt="}},
		{"pointer to a string", &Flags{SystemPrompt: pointer("Be brief.")}, []string{"--system-prompt=Be brief."}},
		{"optional string left out", &Flags{Debug: pointer("")}, []string{"--debug="}},
		{"optional string", &Flags{Debug: pointer("hooks,!mcp")}, []string{"--debug=hooks,!mcp"}},
		{"int", &Flags{MaxTurns: 3}, []string{"--max-turns=3"}},
		{"zero that means something", &Flags{MaxThinkingTokens: pointer(0)}, []string{"--max-thinking-tokens=0"}},
		{"number", &Flags{MaxBudgetUSD: 0.00005}, []string{"--max-budget-usd=0.00005"}},
		{"large number", &Flags{MaxBudgetUSD: 1e21}, []string{"--max-budget-usd=1000000000000000000000"}},
		{"list", &Flags{AllowedTools: []string{"Read", "Bash(git log:*)", "Bash(a, b)"}},
			[]string{"--allowedTools=Read", "--allowedTools=Bash(git log:*)", "--allowedTools=Bash(a, b)"}},
		{"list of paths with dashes and commas", &Flags{AddDirs: []string{"-x", "a,b c"}}, []string{"--add-dir=-x", "--add-dir=a,b c"}},
		{"empty list", &Flags{AddDirs: []string{}}, nil},
		{"empty list that means something", &Flags{Tools: []string{}}, []string{"--tools="}},
		{"list joined by commas", &Flags{SettingSources: []string{"user", "local"}}, []string{"--setting-sources=user,local"}},
		{"empty list joined by commas", &Flags{SettingSources: []string{}}, []string{"--setting-sources="}},
		{"JSON", &Flags{JSONSchema: json.RawMessage(`{"type":"object"}`)}, []string{`--json-schema={"type":"object"}`}},
		{"JSON or path", &Flags{Settings: "settings.json"}, []string{"--settings=settings.json"}},
		{"JSON or path, many", &Flags{MCPConfigs: []string{`{"mcpServers":{}}`, "mcp.json"}},
			[]string{`--mcp-config={"mcpServers":{}}`, "--mcp-config=mcp.json"}},
		{"order of the table", &Flags{Tools: []string{"Read"}, Resume: "id", Model: "opus", Continue: true, AddDirs: []string{"d"}},
			[]string{"--add-dir=d", "--continue", "--model=opus", "--resume=id", "--tools=Read"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.flags.Args()); diff != "" {
				t.Error(diff)
			}
			if err := test.flags.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestValidateNamesTheFieldThatCannotBePassed(t *testing.T) {
	tests := []struct {
		name  string
		flags Flags
		want  string
	}{
		{"NUL", Flags{Model: "a\x00b"}, "flag --model (Flags.Model) holds a NUL byte"},
		{"NUL in a list", Flags{AddDirs: []string{"a", "\x00"}}, "flag --add-dir (Flags.AddDirs) holds a NUL byte"},
		{"negative", Flags{MaxTurns: -1}, "flag --max-turns (Flags.MaxTurns) is -1, which is negative"},
		{"negative by pointer", Flags{MaxThinkingTokens: pointer(-1)}, "flag --max-thinking-tokens (Flags.MaxThinkingTokens) is -1, which is negative"},
		{"negative number", Flags{MaxBudgetUSD: -0.5}, "flag --max-budget-usd (Flags.MaxBudgetUSD) is -0.5, which is not a positive number"},
		{"not a number", Flags{MaxBudgetUSD: math.NaN()}, "flag --max-budget-usd (Flags.MaxBudgetUSD) is NaN, which is not a positive number"},
		{"infinite", Flags{MaxBudgetUSD: math.Inf(1)}, "flag --max-budget-usd (Flags.MaxBudgetUSD) is +Inf, which is not a positive number"},
		{"empty element", Flags{AllowedTools: []string{"Read", ""}}, "flag --allowedTools (Flags.AllowedTools) has an empty element 1"},
		{"empty element of few", Flags{Tools: []string{""}}, "flag --tools (Flags.Tools) has an empty element 0"},
		{"empty element between commas", Flags{SettingSources: []string{""}}, "flag --setting-sources (Flags.SettingSources) has an empty element 0"},
		{"comma", Flags{SettingSources: []string{"user,local"}}, "flag --setting-sources (Flags.SettingSources) has a comma in element 0"},
		{"broken JSON", Flags{JSONSchema: json.RawMessage(`{"type"`)}, "flag --json-schema (Flags.JSONSchema) is not valid JSON"},
		{"no JSON", Flags{JSONSchema: json.RawMessage{}}, "flag --json-schema (Flags.JSONSchema) is not valid JSON"},
		{"JSON, but not an object", Flags{JSONSchema: json.RawMessage(`[]`)}, "flag --json-schema (Flags.JSONSchema) is not a JSON object"},
		{"broken JSON in place of a path", Flags{Settings: ` {"model"`}, "flag --settings (Flags.Settings) is not valid JSON"},
		{"broken JSON in a list", Flags{MCPConfigs: []string{"mcp.json", "{"}}, "flag --mcp-config (Flags.MCPConfigs) is not valid JSON"},
		{"two", Flags{MaxTurns: -1, Agents: "{"}, "flag --agents (Flags.Agents) is not valid JSON\nflag --max-turns (Flags.MaxTurns) is -1, which is negative"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := test.flags.Validate(); err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestNilFlagsAreValidAndLackNothing(t *testing.T) {
	var f *Flags
	if err := errors.Join(f.Validate(), f.Check(Version{1, 0, 0})); err != nil {
		t.Error(err)
	}
}

func TestCheckNamesTheFlagThatTheVersionLacks(t *testing.T) {
	tests := []struct {
		name    string
		flags   Flags
		version Version
		lacks   string
	}{
		{"older", Flags{Model: "opus", Effort: "high"}, Version{2, 1, 37}, "--effort"},
		{"first", Flags{Model: "opus", Effort: "high"}, Version{2, 1, 38}, ""},
		{"newer", Flags{Effort: "high"}, Version{3, 0, 0}, ""},
		{"not set", Flags{Model: "opus"}, Version{1, 0, 59}, ""},
		{"empty list that means something", Flags{SettingSources: []string{}}, Version{1, 0, 59}, "--setting-sources"},
		{"bool", Flags{ForkSession: true}, Version{1, 0, 59}, "--fork-session"},
		{"unknown version", Flags{Effort: "high"}, Version{}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.flags.Check(test.version)
			if test.lacks == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var unsupported *UnsupportedVersionError
			if !errors.As(err, &unsupported) || unsupported.Version != test.version || !unsupported.Minimum.AtLeast(test.version) {
				t.Fatalf("error = %v", err)
			}
			if !strings.Contains(err.Error(), "too old for the flag "+test.lacks+", which needs "+unsupported.Minimum.String()) {
				t.Errorf("error = %v", err)
			}
		})
	}
}
