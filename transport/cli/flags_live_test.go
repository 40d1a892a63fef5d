//go:build live

package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ccwire/ccwire/internal/fakeapi"
	"github.com/ccwire/ccwire/internal/flaggen"
	"github.com/ccwire/ccwire/internal/npm"
	"github.com/ccwire/ccwire/internal/sandbox"
	"github.com/ccwire/ccwire/transport/cli"
)

func pointer[T any](v T) *T { return &v }

// livePatience is how long a test waits for the CLI.
const livePatience = time.Minute

// oldVersion is a CLI that lacks many of the flags.
const oldVersion = "2.0.77"

// noSuchFlag comes last: the CLI names the first flag that it does not know, before it does
// anything.
const noSuchFlag = "--no-such-flag"

// everything has a value that the CLI takes for every field.
var everything = cli.Flags{
	AddDirs: []string{"-dir"}, Agent: "a", Agents: "{}", AllowDangerouslySkipPermissions: true, AllowedTools: []string{"Read"},
	AppendSubagentSystemPrompt: "-a", AppendSystemPrompt: "-a", AppendSystemPromptFile: "-a", AutoCompact: "500k", Bare: true,
	Betas: []string{"a"}, Brief: true, Continue: true, DangerouslySkipPermissions: true, Debug: pointer(""), DebugFile: "-a",
	DisableSlashCommands: true, DisallowedTools: []string{"Bash"}, Effort: "low", ExcludeDynamicSystemPromptSections: true,
	FallbackModel: "a", ForkSession: true, ForwardSubagentText: true, IncludeHookEvents: true, IncludePartialMessages: true,
	JSONSchema: json.RawMessage("{}"), ManagedSettings: json.RawMessage("{}"), MaxBudgetUSD: 0.00001, MaxThinkingTokens: pointer(0), MaxTurns: 1,
	MCPConfigs: []string{"{}"}, Model: "-a", Name: "-a", NoSessionPersistence: true, PermissionMode: "plan", PermissionPrompts: "none",
	PermissionPromptTool: "-a", PlanModeInstructions: "-a", ProjectConfigRoot: "/", ResumeDropsTurn: "-a",
	PluginDirs: []string{"-a"}, PluginDirsNoMCP: []string{"-a"}, PluginURLs: []string{"-a"}, PromptSuggestions: true, ReplayUserMessages: true,
	Restricted: true, Resume: "-a", ResumeSessionAt: "-a", SafeMode: true, SessionID: "-a", SessionMirror: true,
	SettingSources: []string{}, Settings: "{}", StrictMCPConfig: true, SystemPrompt: pointer(""), SystemPromptFile: "-a",
	SystemPromptSnapshot: "on", TaskBudget: 1, Thinking: "adaptive", ThinkingDisplay: "omitted", Tools: []string{},
}

// liveTable reads the table of flags.
func liveTable(t *testing.T) *flaggen.Table {
	t.Helper()
	text, err := os.ReadFile("flags.json")
	if err != nil {
		t.Fatal(err)
	}
	table, err := flaggen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// liveCLI is a CLI in scratch folders, without a network but for the API on loopback.
type liveCLI struct {
	path    string
	api     string
	scratch *sandbox.Scratch
}

func newLiveCLI(t *testing.T, path, api string) *liveCLI {
	t.Helper()
	scratch, err := sandbox.NewScratch(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := scratch.Remove(); err != nil {
			t.Error(err)
		}
	})
	return &liveCLI{path: path, api: api, scratch: scratch}
}

// pinnedCLI is the newest CLI that is verified, with an API that nobody serves.
func pinnedCLI(t *testing.T) *liveCLI {
	t.Helper()
	path, err := npm.PinnedPath(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return newLiveCLI(t, path, "http://127.0.0.1:1")
}

// run returns what the CLI prints.
func (c *liveCLI) run(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), livePatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.path, args...)
	cmd.Dir, cmd.Env = c.scratch.Cwd, c.scratch.Env(c.api, nil)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
		t.Fatalf("%q: %v, %v\n%s", args, err, ctx.Err(), out)
	}
	return string(out)
}

// refuses returns the flag that the CLI does not know, "" if it knows all.
func (c *liveCLI) refuses(t *testing.T, args ...string) string {
	t.Helper()
	out := c.run(t, append(args, noSuchFlag)...)
	m := regexp.MustCompile(`unknown option '([^'=]*)`).FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("%q: %s", args, out)
	}
	if m[1] == noSuchFlag {
		return ""
	}
	return m[1]
}

// helpLine finds a flag with all its names and its argument.
var helpLine = regexp.MustCompile(`(?m)^  (?:-\w, )?(--[\w-]+)(?:, (--[\w-]+))?(?: ([<\[][^>\]]+[>\]]))?(?:  |$)`)

func TestLiveHelpListsTheFlagsOfTheTable(t *testing.T) {
	table := liveTable(t)
	help, _, _ := strings.Cut(pinnedCLI(t).run(t, "--help"), "\nCommands:")
	arguments := map[string]string{} // by any name of the flag
	known := map[string]bool{}
	for _, f := range table.Flags {
		known[f.Flag] = true
	}
	for _, f := range table.LeftOut {
		known[f.Flag] = true
	}
	for _, m := range helpLine.FindAllStringSubmatch(help, -1) {
		arguments[m[1]] = m[3]
		if m[2] != "" {
			arguments[m[2]] = m[3]
		}
		if !known[m[1]] && !known[m[2]] {
			t.Errorf("%s is in --help and not in flags.json", m[1])
		}
	}
	for _, f := range table.LeftOut {
		if _, ok := arguments[f.Flag]; ok == f.Hidden {
			t.Errorf("%s is left out; in --help: %v, hidden in the table: %v", f.Flag, ok, f.Hidden)
		}
	}
	for _, f := range table.Flags {
		argument, ok := arguments[f.Flag]
		if ok == f.Hidden {
			t.Errorf("%s: in --help: %v, hidden in the table: %v", f.Flag, ok, f.Hidden)
			continue
		}
		if !ok {
			continue
		}
		begin := map[flaggen.Kind]string{flaggen.Bool: "", flaggen.True: "[", flaggen.OptionalString: "["}
		want, special := begin[f.Kind]
		if !special {
			want = "<"
		}
		if f.Flag == "--resume" {
			want = "[" // without a value it asks the user
		}
		if argument[:min(1, len(argument))] != want {
			t.Errorf("%s takes %q, which is not of kind %s", f.Flag, argument, f.Kind)
		}
		if strings.HasSuffix(argument, "...>") && f.Kind != flaggen.List && f.Kind != flaggen.JSONOrPathList {
			t.Errorf("%s takes %q, which is not of kind %s", f.Flag, argument, f.Kind)
		}
	}
}

func TestLiveEveryFlagIsTakenAsItIsPassed(t *testing.T) {
	fields := reflect.ValueOf(everything)
	for i := range fields.NumField() {
		if fields.Field(i).IsZero() {
			t.Errorf("%s is not tried", fields.Type().Field(i).Name)
		}
	}
	if flag := pinnedCLI(t).refuses(t, everything.Args()...); flag != "" {
		t.Errorf("%s is unknown", flag)
	}
}

func TestLiveHiddenFlagsTakeAnArgumentUnlessTheyAreOfKindBool(t *testing.T) {
	c := pinnedCLI(t)
	for _, f := range liveTable(t).Flags {
		switch {
		case !f.Hidden:
		case f.Kind == flaggen.Bool:
			if got := c.refuses(t, f.Flag+"=x"); got != f.Flag {
				t.Errorf("%s takes an argument", f.Flag)
			}
		default:
			if out := c.run(t, f.Flag); !strings.Contains(out, "argument missing") {
				t.Errorf("%s takes no argument: %s", f.Flag, out)
			}
		}
	}
}

func TestLiveValuesAreThoseThatTheCLINames(t *testing.T) {
	c := pinnedCLI(t)
	for _, f := range liveTable(t).Flags {
		if len(f.Values) == 0 {
			continue
		}
		out := c.run(t, f.Flag+"=nonsense", noSuchFlag)
		if want := strings.Join(f.Values, ", ") + "."; !strings.Contains(out, " "+want) {
			t.Errorf("%s: no %q in %s", f.Flag, want, out)
		}
	}
}

func TestLiveOldVersionRefusesTheFlagsThatCheckRefuses(t *testing.T) {
	version, err := cli.ParseVersion(oldVersion)
	if err != nil {
		t.Fatal(err)
	}
	cache, err := npm.DefaultCache()
	if err != nil {
		t.Fatal(err)
	}
	path, err := cache.Path(t.Context(), oldVersion)
	if err != nil {
		t.Fatal(err)
	}
	c := newLiveCLI(t, path, "http://127.0.0.1:1")
	var has cli.Flags
	for _, field := range reflect.VisibleFields(reflect.TypeFor[cli.Flags]()) {
		var one cli.Flags
		value := reflect.ValueOf(everything).FieldByIndex(field.Index)
		reflect.ValueOf(&one).Elem().FieldByIndex(field.Index).Set(value)
		if one.Check(version) == nil {
			reflect.ValueOf(&has).Elem().FieldByIndex(field.Index).Set(value)
		} else if c.refuses(t, one.Args()...) == "" {
			t.Errorf("%s knows %q", oldVersion, one.Args())
		}
	}
	if flag := c.refuses(t, has.Args()...); flag != "" {
		t.Errorf("%s does not know %s", oldVersion, flag)
	}
}

// liveTurn runs one prompt, which follows the flags directly, with a model that follows the script,
// and wants the result, a JSON string. It returns the working directory, the API and what the CLI
// wrote.
func liveTurn(t *testing.T, flags cli.Flags, result string, turns ...fakeapi.Turn) (dir string, api *fakeapi.Server, out string) {
	t.Helper()
	api, err := fakeapi.Start(t.Context(), fakeapi.Script{Turns: turns})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { api.Close() })
	c := pinnedCLI(t)
	c.api = api.URL()
	out = c.run(t, slices.Concat([]string{"--print", "--output-format", "stream-json", "--verbose"}, flags.Args(), []string{prompt})...)
	if !strings.Contains(out, `"result":`+result) {
		t.Fatalf("the result is not %s: %s", result, out)
	}
	return c.scratch.Cwd, api, out
}

// prompt is what liveTurn asks.
const prompt = "the prompt"

// told answers a request that has the text in it.
func told(text string) fakeapi.Turn {
	return fakeapi.Turn{Match: &fakeapi.Match{Told: text}, Text: "It was told."}
}

const wasTold = `"It was told."`

// liveInit returns the tools and the permission mode of the first message.
func liveInit(t *testing.T, out string) (tools []string, mode string) {
	t.Helper()
	for line := range strings.Lines(out) {
		var m struct {
			Subtype, PermissionMode string
			Tools                   []string
		}
		if json.Unmarshal([]byte(line), &m) == nil && m.Subtype == "init" {
			return m.Tools, m.PermissionMode
		}
	}
	t.Fatalf("no init in %s", out)
	panic("unreachable")
}

func TestLiveRulesForToolsArriveAsTheyAre(t *testing.T) {
	for _, test := range []struct {
		name    string
		rules   []string
		allowed bool
	}{
		{"space and colon", []string{"Read", "Bash(touch made:*)"}, true},
		{"comma", []string{"Bash(touch made a,b)", "Read"}, true},
		{"last of the list", []string{"mcp__a__b", "Edit", "Bash(touch *)"}, true},
		{"another command", []string{"Read", "Bash(touch other:*)"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, _, out := liveTurn(t, cli.Flags{AllowedTools: test.rules, PermissionMode: "default"}, `"Done."`,
				fakeapi.Turn{Content: []fakeapi.Block{fakeapi.ToolUse("Bash", `{"command":"touch made a,b"}`)}},
				fakeapi.Turn{Text: "Done."})
			_, err := os.Stat(filepath.Join(dir, "made"))
			if allowed := err == nil; allowed != test.allowed {
				t.Errorf("allowed = %v: %s", allowed, out)
			}
		})
	}
}

func TestLiveListsOfToolsTakeNothingThatFollows(t *testing.T) {
	for _, test := range []struct {
		name  string
		flags cli.Flags
		want  []string
	}{
		{"few", cli.Flags{Tools: []string{"Read", "Bash", "Edit"}, DisallowedTools: []string{"Edit", "Glob"}}, []string{"Bash", "Read"}},
		{"none", cli.Flags{Tools: []string{}}, []string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, out := liveTurn(t, test.flags, wasTold, told(prompt))
			tools, _ := liveInit(t, out)
			slices.Sort(tools)
			if !slices.Equal(tools, test.want) {
				t.Errorf("tools = %q, want %q", tools, test.want)
			}
		})
	}
}

func TestLiveTextsArriveAsTheyAre(t *testing.T) {
	const text = "--dash = \"quotes\", 'more'\n$HOME `x` \\ ü"
	for name, flags := range map[string]cli.Flags{
		"system prompt": {SystemPrompt: pointer(text)},
		"append":        {AppendSystemPrompt: text},
	} {
		t.Run(name, func(t *testing.T) {
			liveTurn(t, flags, wasTold, told(text))
		})
	}
}

func TestLiveModelModeAndJSONAreTaken(t *testing.T) {
	flags := cli.Flags{
		Model: "claude-test-1", PermissionMode: "plan", MCPConfigs: []string{`{"mcpServers":{}}`, ` {"mcpServers":{}}`},
		Settings: ` {"env":{}} `, Agents: ` {}`, SettingSources: []string{},
	}
	_, api, out := liveTurn(t, flags, wasTold, told(prompt))
	if _, mode := liveInit(t, out); mode != flags.PermissionMode {
		t.Errorf("mode = %s", mode)
	}
	if !slices.ContainsFunc(api.Requests(), func(r fakeapi.Request) bool { return r.Model == flags.Model }) {
		t.Errorf("requests: %+v", api.Requests())
	}
}

func TestLiveSchemaOfTheOutputGivesTheModelATool(t *testing.T) {
	flags := cli.Flags{JSONSchema: json.RawMessage(` {"type":"object"}`)}
	use := fakeapi.Turn{Content: []fakeapi.Block{fakeapi.ToolUse("StructuredOutput", `{"a":1}`)}}
	_, _, out := liveTurn(t, flags, `"{\"a\":1}"`, use)
	if !strings.Contains(out, `"structured_output":{"a":1}`) {
		t.Errorf("no output: %s", out)
	}
}

func TestLiveDebugWithoutCategoriesLogsAll(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	liveTurn(t, cli.Flags{Debug: pointer(""), DebugFile: file}, wasTold, told(prompt))
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		t.Errorf("no log: %v", err)
	}
}
