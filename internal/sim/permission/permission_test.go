package permission_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/permission"
	"github.com/ccwire/ccwire/internal/sim/tools"
	"golang.org/x/tools/txtar"
)

func parse(t *testing.T, text string) object.Object {
	t.Helper()
	v, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v.(object.Object)
}

func TestDecisionsAreThoseOfTheCLI(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/decisions.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	names := strings.NewReplacer("DIR", dir, "PARENT", filepath.Dir(dir))
	for _, section := range archive.Files {
		p := &permission.Policy{Dir: dir, Home: "/home/someone"}
		p.SetMode(section.Name)
		if section.Name == "rules" {
			p.SetMode("default")
			p.Add(permission.Allow, permission.FlagSettings, "Bash(npm test)", "Bash(git log:*)", "Edit(dir/**)")
			p.Add(permission.Ask, permission.FlagSettings, "Bash(npm run:*)", "Read(a.txt)")
			p.Add(permission.Deny, permission.FlagSettings, "Bash(git push *)", "Read(./secret.txt)", "WebFetch(domain:example.com)")
		}
		lines := strings.Split(strings.TrimSpace(names.Replace(string(section.Data))), "\n")
		for i := 0; i+1 < len(lines); i += 2 {
			tool, input, _ := strings.Cut(lines[i], " ")
			t.Run(section.Name+" "+lines[i], func(t *testing.T) {
				d := p.Decide(permission.Request{Tool: tool, Input: tools.Observed(tool, parse(t, input), dir)})
				got := string(d.Behavior) + " "
				switch {
				case d.Behavior == permission.Ask:
					got += object.Text(d.Members(false))
				case d.Refused:
					got = "refuse " + d.Reason
				default:
					got += d.Reason
				}
				if want := strings.TrimPrefix(lines[i+1], "\t"); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			})
		}
	}
}

func TestRulesAreReadAndWritten(t *testing.T) {
	for _, text := range []string{"Write", "Bash(npm run:*)", `Bash(echo \(a\))`, "mcp__srv__echo"} {
		if got := permission.ParseRule(text).String(); got != text {
			t.Errorf("%s becomes %s", text, got)
		}
	}
}

func TestARuleFitsTheToolsThatItIsFor(t *testing.T) {
	for _, tt := range []struct {
		rule, tool, input string
		want              permission.Behavior
	}{
		{"mcp__srv", "mcp__srv__echo", `{}`, permission.Allow},
		{"mcp__srv__*", "mcp__srv__echo", `{}`, permission.Allow},
		{"mcp__srv__echo", "mcp__srv__echo", `{}`, permission.Allow},
		{"mcp__sr", "mcp__srv__echo", `{}`, permission.Ask},
		{"Bash(npm:*)", "Bash", `{"command":"npmx install"}`, permission.Ask},
		{"Bash(npm:*)", "Bash", `{"command":"npm install && rm -rf /"}`, permission.Ask},
		{"Bash(npm:*)", "Bash", `{"command":"npm install $(rm -rf /)"}`, permission.Ask},
		{"Bash(npm:*)", "Bash", `{"command":"npm install > /etc/passwd"}`, permission.Ask},
		{"Bash(git * main)", "Bash", `{"command":"git push main"}`, permission.Allow},
		{"Bash", "Bash", `{"command":"anything; at $(all)"}`, permission.Allow},
		{"Read(//etc/**)", "Read", `{"file_path":"/etc/hosts"}`, permission.Allow},
		{"Read(//etc/**)", "Read", `{"file_path":"/etcx/hosts"}`, permission.Ask},
		{"Read(~/x)", "Read", `{"file_path":"/home/x/y"}`, permission.Allow},
		{"Edit", "Write", `{"file_path":"/w/a","content":""}`, permission.Ask},
		{"Edit(src/**)", "Write", `{"file_path":"/w/src/a","content":""}`, permission.Allow},
		{"Edit(src/**)", "Write", `{"file_path":"/w/src/../a","content":""}`, permission.Ask},
		{"WebFetch(domain:example.com)", "WebFetch", `{"url":"https://example.com/x"}`, permission.Allow},
		{"WebFetch(domain:example.com)", "WebFetch", `{"url":"https://example.com.evil/x"}`, permission.Ask},
		{"Skill(hello)", "Skill", `{"skill":"other"}`, permission.Ask},
	} {
		t.Run(tt.rule+" "+tt.tool+" "+tt.input, func(t *testing.T) {
			p := &permission.Policy{Dir: "/w", Home: "/home"}
			p.Add(permission.Allow, permission.CLIArg, tt.rule)
			if d := p.Decide(permission.Request{Tool: tt.tool, Input: parse(t, tt.input)}); d.Behavior != tt.want {
				t.Errorf("got %s", d.Behavior)
			}
		})
	}
}

func TestADenyRuleBeatsEverything(t *testing.T) {
	for _, mode := range permission.Modes {
		p := &permission.Policy{Dir: "/w", Bypass: true}
		p.SetMode(mode)
		p.Add(permission.Allow, permission.SessionRules, "Bash", "Write")
		p.Add(permission.Deny, permission.ProjectSettings, "Bash(rm:*)", "Edit(secret/**)")
		for _, r := range []permission.Request{
			{Tool: "Bash", Input: object.Of("command", "rm a")},
			{Tool: "Bash", Input: object.Of("command", "ls && rm a")},
			{Tool: "Bash", Input: object.Of("command", "cat < secret/a")},
			{Tool: "Write", Input: object.Of("file_path", "/w/secret/a", "content", "")},
		} {
			if d := p.Decide(r); d.Behavior != permission.Deny {
				t.Errorf("%s in the mode %s: %s", r.Tool, mode, d.Behavior)
			}
		}
	}
}

func TestAnswersAreRead(t *testing.T) {
	for _, tt := range []struct {
		text string
		ok   bool
	}{
		{`{"behavior":"allow"}`, true},
		{`{"behavior":"allow","updatedInput":{}}`, true},
		{`{"behavior":"allow","updatedInput":null}`, false},
		{`{"behavior":"allow","updatedInput":"x"}`, false},
		{`{"behavior":"deny","message":"no"}`, true},
		{`{"behavior":"deny","message":"no","interrupt":true}`, true},
		{`{"behavior":"deny","message":"no","interrupt":"yes"}`, false},
		{`{"behavior":"deny"}`, false},
		{`{"behavior":"ask","message":"?"}`, false},
		{`{}`, false},
	} {
		if _, ok := permission.ReadAnswer(parse(t, tt.text)); ok != tt.ok {
			t.Errorf("%s is taken: %v", tt.text, ok)
		}
	}
}

func TestUpdatesApplyAllOrNone(t *testing.T) {
	write := permission.Request{Tool: "Write", Input: object.Of("file_path", "/w/a", "content", "")}
	for _, tt := range []struct {
		updates string
		want    permission.Behavior
		mode    string
	}{
		{`{"u":[{"type":"addRules","behavior":"allow","destination":"session","rules":[{"toolName":"Write"}]}]}`, permission.Allow, "default"},
		{`{"u":[{"type":"addRules","behavior":"allow","destination":"session","rules":[{"toolName":"Write","ruleContent":null}]}]}`, permission.Ask, "default"},
		{`{"u":[{"type":"addRules","behavior":"allow","destination":"session","rules":[{"toolName":"Write"}]},5]}`, permission.Ask, "default"},
		{`{"u":[{"type":"noSuchUpdate"}]}`, permission.Ask, "default"},
		{`{"u":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}`, permission.Allow, "acceptEdits"},
		{`{"u":[{"type":"setMode","mode":"bypassPermissions","destination":"session"}]}`, permission.Ask, "default"},
		{`{"u":[{"type":"addRules","behavior":"deny","destination":"session","rules":[{"toolName":"Edit","ruleContent":"a"}]}]}`, permission.Deny, "default"},
	} {
		p := &permission.Policy{Dir: "/w"}
		_, changed := p.Apply(parse(t, tt.updates).List("u"))
		if d := p.Decide(write); d.Behavior != tt.want || p.Mode() != tt.mode || changed != (tt.mode != "default") {
			t.Errorf("%s: %s in the mode %s", tt.updates, d.Behavior, p.Mode())
		}
	}
}

func TestACommandIsDecidedByItsParts(t *testing.T) {
	p := &permission.Policy{Dir: "/w", Home: "/home/u"}
	for _, tt := range []struct{ command, want string }{
		{`echo $HOME/x | sed 's/.*x/y/'`, `allow`},
		{`echo a | sed -n '1,2p;3p'`, `allow`},
		{`sed -n 1p note.txt`, `allow`},
		{`echo a | sed 's/a/b/w out'`, `ask`},
		{`echo a | sed -e 's/a/b/'`, `ask`},
		{`echo a | sed 's/a$/b/'`, `ask Bash(sed 's/a$/b/')`},
		{`sed -n '$p' note.txt`, `ask Bash(sed -n '$p' note.txt) addDirectories setMode`},
		{`echo $USER`, `ask`},
		{`echo $((1+2))`, `allow`},
		{`echo "a $(pwd)"`, `allow`},
		{`echo "$(pwd)"`, `ask`},
		{`echo "a $(make)"`, `ask Bash(make) Bash(echo "a $(make)")`},
		{`grep "a $(pwd)" b`, `ask Bash(grep "a $(pwd)" b)`},
		{`CI=1 ls`, `allow`},
		{`PAGER=cat ls`, `ask Bash(PAGER=cat ls)`},
		{`CI=1 npm test`, `ask Bash(npm test *)`},
		{`time ls`, `ask Bash(time ls)`},
		{`ls {a,b}`, `ask`},
		{`mkdir x && touch y`, `ask Bash(mkdir x *) Bash(touch y *)`},
		{`mkdir x; cat /etc/hosts`, `ask Bash(mkdir x *) Read(//etc/**)`},
		{`make a1; make a2; make a3; make a4; make a5; make a6`, `ask`},
		{`python3 a.py | tee b`, `ask Bash(python3 a.py) addDirectories setMode`},
		{`python3 a.py | python3 b.py`, `ask Bash(python3 a.py) Bash(python3 b.py)`},
		{`cat /etc/hosts | python3 a.py`, `ask Read(//etc/**) Bash(python3 a.py)`},
		{`mkdir x | sed p`, `ask Bash(mkdir x *) addDirectories setMode`},
		{`python3 a.py | sed p`, `ask`},
		{`python3 a.py; echo a > b`, `ask`},
		{`python3 a.py | cat > b`, `ask`},
		{`export A=1; echo $A`, `ask`},
	} {
		t.Run(tt.command, func(t *testing.T) {
			d := p.Decide(permission.Request{Tool: "Bash", Input: object.Of("command", tt.command)})
			got := []string{string(d.Behavior)}
			for _, s := range d.Suggestions {
				s := s.(object.Object)
				if s.Text("type") != "addRules" {
					got = append(got, s.Text("type"))
					continue
				}
				for _, r := range s.List("rules") {
					r := r.(object.Object)
					got = append(got, fmt.Sprintf("%s(%s)", r.Text("toolName"), r.Text("ruleContent")))
				}
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// Which variables there are is known when a command has run: before that each one that a line sets
// may be one that other programs read.
func TestAVariableIsAskedForUntilACommandHasRun(t *testing.T) {
	p := &permission.Policy{Dir: "/w", Home: "/home/u"}
	for _, tt := range []struct{ command, fresh, later string }{
		{`A=1`, `ask other`, `allow subcommandResults`},
		{`A=1; B=2`, `ask other`, `allow subcommandResults`},
		{`A=1; ls`, `ask other`, `allow subcommandResults`},
		{`pwd; A=1; ls`, `ask subcommandResults`, `allow subcommandResults`},
		{`A=1; ls | cat`, `ask subcommandResults`, `allow subcommandResults`},
		{`A=1; npm test`, `ask other`, `ask other`},
		{`A=$(date)`, `ask other`, `allow subcommandResults`},
		{`A=$(date); ls`, `ask subcommandResults`, `allow subcommandResults`},
		{`A=$(npm test); ls`, `ask subcommandResults`, `ask subcommandResults`},
		{`A=$(date); echo "got $A"`, `ask subcommandResults`, `allow subcommandResults`},
		{`CI=1; ls`, `allow subcommandResults`, `allow subcommandResults`},
		{`LANG=C; ls`, `ask other`, `ask other`},
		{`LD_PRELOAD=x`, `ask other`, `ask other`},
		{`PWD=/`, `ask other`, `ask other`},
		{`A=~/x`, `ask other`, `ask other`},
		{`A=(1 2)`, `ask other`, `ask other`},
		{`A=1 | cat`, `ask other`, `ask other`},
	} {
		for fresh, want := range map[bool]string{true: tt.fresh, false: tt.later} {
			d := p.Decide(permission.Request{Tool: "Bash", Input: object.Of("command", tt.command), Fresh: fresh})
			if got := string(d.Behavior) + " " + d.Reason; got != want {
				t.Errorf("%s (fresh: %t): %s, want %s", tt.command, fresh, got, want)
			}
		}
	}
}
