package scenario

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/transport/cli"
)

const head = "It holds. And more\nprose.\n\nlevel: required\nsince: 1.0.85\n"

func parse(t *testing.T, text string) *Scenario {
	t.Helper()
	s, err := Parse("area/name", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestParseReadsHeaderAndFiles(t *testing.T) {
	s := parse(t, "It holds. And more\nprose.\n\nlevel: recommended\nsince: 1.0.85\nuntil: 2.1.0\nneeds: git sh\nargs: --a 'b c' \"d\\te\"\nearlier: -p 'b c'\nenv: A=1 B=\ntimeout: 5s\ncatches: hang wrong-id\n"+
		"-- script --\ninit\n-- api.json --\n{\"turns\":[{\"text\":\"Hi.\"}]}\n-- files/sub/x.txt --\nhello\n")
	if s.Title != "It holds." || s.Area() != "area" || s.Level != Recommended || s.Timeout != 5*time.Second {
		t.Errorf("got %+v", s)
	}
	if diff := cmp.Diff([]string{"--a", "b c", "d\te"}, s.Args); diff != "" {
		t.Errorf("args: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"-p", "b c"}, s.Earlier); diff != "" {
		t.Errorf("earlier: -want +got\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"A": "1", "B": ""}, s.Env); diff != "" {
		t.Errorf("env: -want +got\n%s", diff)
	}
	if string(s.Files["sub/x.txt"]) != "hello\n" || len(s.API.Turns) != 1 || len(s.Catches) != 2 || len(s.Needs) != 2 {
		t.Errorf("got %+v", s)
	}
	for v, want := range map[string]bool{"1.0.84": false, "1.0.85": true, "2.0.99": true, "2.1.0": false} {
		version, _ := cli.ParseVersion(v)
		if s.Versions.Contains(version) != want {
			t.Errorf("%s: want %v", v, want)
		}
	}
}

func TestParseReadsEveryStep(t *testing.T) {
	s := parse(t, head+`-- script --
# a comment
> {"type":"user",
    "message":"$ref:x"}
>raw "abc\x00\n"
< {"type":"result"}
<unordered
< {"a":1}
<ok r1 {"b":2}
<end
<not {"a":1}
<never {"a":1}
<none 100ms
<none 100ms {"a":1}
<again r1
auto allow
auto mcp srv {"manual":["tools/call"]}
auto {"subtype":"hook_callback"} => {"continue":true}
[>=2.1.90 <2.1.250] eof
signal TERM
touch go
api 2 {"outcome":"stalled"}
api total 3
stderr "oops"
exit any
`)
	var got []string
	for _, step := range s.Steps {
		got = append(got, strings.TrimPrefix(strings.SplitN(strings.TrimPrefix(typeName(step.Op), "scenario."), "{", 2)[0], "*"))
	}
	want := []string{"Send", "SendRaw", "Expect", "Unordered", "Not", "Never", "None", "None", "Again", "Auto", "Auto", "Auto", "EOF", "Signal", "Touch", "API", "APITotal", "Stderr", "Exit"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if s.Steps[0].Line != 2 || s.Steps[12].When.String() != ">=2.1.90 <2.1.250" {
		t.Errorf("line %d, condition %s", s.Steps[0].Line, s.Steps[12].When)
	}
}

func TestStepsOfAGroupMayBeForSomeVersions(t *testing.T) {
	group := parse(t, head+"-- script --\n<unordered\n<ok r1\n[>=2.1.250] < {\"new\":1}\n[<2.1.250] < {\"old\":1}\n<end\n").Steps[0].Op.(Unordered)
	for version, member := range map[string]string{"2.1.200": "old", "2.1.250": "new", "": "new"} {
		v, _ := cli.ParseVersion(version) // the zero Version for ""
		got := group.For(v)
		if len(got) != 2 || got[1].Match([]byte(`{"`+member+`":1}`), Vars{}) != nil {
			t.Errorf("%q: %d patterns, the second is not for %s", version, len(got), member)
		}
	}
}

func TestConditionsAreThoseOfTheSteps(t *testing.T) {
	s := parse(t, head+"-- script --\n[>=2.1.90] eof\n<unordered\n[<2.1.250] <ok r1\n[>=2.1.90] <ok r2\n<end\n[<2.1.90] eof\n")
	if diff := cmp.Diff([]string{">=2.1.90", "<2.1.250", "<2.1.90"}, s.Conditions()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestVariesSaysWhatDiffersFromRunToRun(t *testing.T) {
	s := parse(t, head+"varies: assistant # it may be late\nvaries: result/success /usage/*/n # counted by the CLI\n-- script --\ninit\n")
	want := []Variation{{"assistant", "", "it may be late"}, {"result/success", "/usage/*/n", "counted by the CLI"}}
	if diff := cmp.Diff(want, s.Varies); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, tt := range []struct {
		kind, path   string
		line, member bool
	}{
		{"assistant", "/message", true, false},
		{"result/success", "/usage/a/n", false, true},
		{"result/success", "/usage/n", false, false},
		{"result/success", "/usage/a/n/m", false, false},
		{"result", "/usage/a/n", false, false},
	} {
		if line, member := LineVaries(s.Varies, tt.kind), MemberVaries(s.Varies, tt.kind, tt.path); line != tt.line || member != tt.member {
			t.Errorf("%s %s: line %v, member %v", tt.kind, tt.path, line, member)
		}
	}
}

func TestShortFormsStandForFullLines(t *testing.T) {
	for _, tt := range []struct{ short, full string }{
		{`user "a\"<b"`, `> {"type":"user","message":{"role":"user","content":"a\"<b"},"parent_tool_use_id":null,"session_id":""}`},
		{`request r1 {"subtype":"interrupt"}`, `> {"type":"control_request","request_id":"r1","request":{"subtype":"interrupt"}}`},
		{`answer ask {"behavior":"deny"}`, `> {"type":"control_response","response":{"subtype":"success","request_id":"$ref:ask","response":{"behavior":"deny"}}}`},
		{`fail ask "no"`, `> {"type":"control_response","response":{"subtype":"error","request_id":"$ref:ask","error":"no"}}`},
		{`<ok r1`, `< {"type":"control_response","response":{"subtype":"success","request_id":"r1"}}`},
		{`<error r1 "$re:x"`, `< {"type":"control_response","response":{"subtype":"error","request_id":"r1","error":"$re:x"}}`},
		{`<request ask {"subtype":"can_use_tool"}`, `< {"type":"control_request","request_id":"$bind:ask","request":{"subtype":"can_use_tool"}}`},
		{`<cancel ask`, `< {"type":"control_cancel_request","request_id":"$ref:ask"}`},
		{`<result {"result":"x"}`, `< {"type":"result","result":"x"}`},
	} {
		short, full := parse(t, head+"-- script --\n"+tt.short+"\n"), parse(t, head+"-- script --\n"+tt.full+"\n")
		if diff := cmp.Diff(opText(full.Steps[0].Op), opText(short.Steps[0].Op)); diff != "" {
			t.Errorf("%s: -want +got\n%s", tt.short, diff)
		}
	}
}

func TestParseRejectsMistakes(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no prose", "level: required\nsince: 1.0.85\n-- script --\n", "no prose"},
		{"no level", "P.\n\nsince: 1.0.85\n-- script --\n", "header level is missing"},
		{"unknown level", "P.\n\nlevel: nice\nsince: 1.0.85\n-- script --\n", "neither required nor recommended"},
		{"unknown header", "P.\n\nlevel: required\nsince: 1.0.85\nwhen: now\n-- script --\n", "unknown header"},
		{"header twice", "P.\n\nlevel: required\nlevel: required\nsince: 1.0.85\n-- script --\n", "duplicate header level"},
		{"a variation without a reason", head + "varies: assistant\n-- script --\n", "it needs a reason"},
		{"a variation of nothing", head + "varies: # why\n-- script --\n", "want KIND # reason"},
		{"a variation with a bad path", head + "varies: assistant message # why\n-- script --\n", "want KIND # reason"},
		{"no script", head, "no file script"},
		{"unknown file", head + "-- script --\n-- skript --\n", "unknown file"},
		{"bad api", head + "-- script --\n-- api.json --\n{\"turn\":1}\n", "api.json"},
		{"unknown step", head + "-- script --\nexpect {}\n", `script line 1: unknown step "expect"`},
		{"not JSON", head + "-- script --\ninit\n> {\n", "script line 2: not JSON"},
		{"unknown matcher", head + "-- script --\n< {\"a\":\"$sting\"}\n", "unknown matcher"},
		{"open group", head + "-- script --\n<unordered\n< {}\n< {}\n", "<unordered without <end"},
		{"send in a group", head + "-- script --\n<unordered\n> {}\n<end\n", "only < steps"},
		{"bad condition", head + "-- script --\n[=2.1.0] eof\n", "want >=VERSION or <VERSION"},
		{"unknown signal", head + "-- script --\nsignal HUP\n", "unknown signal"},
		{"touch outside", head + "-- script --\ntouch ../x\n", "want the name of a file"},
		{"bad rule", head + "-- script --\nauto deny\n", "unknown rule"},
		{"bad MCP option", head + "-- script --\nauto mcp srv {\"tool\":1}\n", "options of the MCP server"},
		{"path out of the folder", head + "-- script --\n-- files/../x --\n", "unknown file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("area/name", []byte(tt.text))
			var typed *Error
			if !errors.As(err, &typed) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestLoadSortsByName(t *testing.T) {
	file := &fstest.MapFile{Data: []byte(head + "-- script --\ninit\n")}
	all, err := Load(fstest.MapFS{"b/x.txtar": file, "a/z.txtar": file, "a/y.txtar": file, "a/readme.md": {}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	if diff := cmp.Diff([]string{"a/y", "a/z", "b/x"}, names); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
