package sequence

import (
	"strings"
	"testing"
)

const good = `
> control_request/initialize
< control_response/success
> user: ${/message/content}
< system/init
...
< control_request/can_use_tool: may ${/request/tool_name} run?
> control_response/success
< user
< assistant
< result/success
> eof
< exit`

func TestADiagramIsWhatWasRecorded(t *testing.T) {
	d, err := Read("permission/allow", good)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"SDK->>CLI: user: write a file\n", "Note over SDK,CLI: one line is left out\n",
		"CLI->>SDK: control_request/can_use_tool: may Write run?\n", "SDK->>CLI: control_response/success: answers can_use_tool\n",
		"SDK->>CLI: eof: closes its end\n", "CLI->>SDK: exit: code 0\n",
	} {
		if !strings.Contains(d.Mermaid(), want) {
			t.Errorf("no %q in\n%s", want, d.Mermaid())
		}
	}
}

func TestADiagramThatIsNotTrueIsRefused(t *testing.T) {
	for name, test := range map[string]struct{ from, to, want string }{
		"another line":          {"< system/init", "< system/status", `the line there is "< system/init"`},
		"another direction":     {"< system/init", "> system/init", `the line there is "< system/init"`},
		"a line too few":        {"< user\n", "", `the line there is "< user"`},
		"a line too many":       {"< user\n", "< user\n< user\n", `the line there is "< assistant"`},
		"an end that is none":   {"\n> eof\n< exit", "", `the session goes on with "> eof"`},
		"a gap without lines":   {"...", "...\n< assistant\n...", "nothing is left out"},
		"a gap at the end":      {"< exit", "< exit\n...", "nothing is left out at the end"},
		"nothing there":         {"< exit", "< exit\n< exit", "there is no such line"},
		"a member that is gone": {"/request/tool_name", "/request/tool", "nothing at /request/tool"},
		"not a step":            {"< exit", "exit", "a line begins with"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read("permission/allow", strings.Replace(good, test.from, test.to, 1))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if _, err := Read("permission/no-such", good); err == nil {
		t.Error("a scenario that is not recorded is drawn")
	}
}

func TestTextOfARecordingIsNotMarkup(t *testing.T) {
	d := &Diagram{Scenario: "a<b", Steps: []Step{{Kind: "user", Count: 1, Caption: `<script>alert("x")</script>; end`}}}
	if svg := d.SVG(nil); strings.Contains(svg, "<script") || !strings.Contains(svg, "&lt;script&gt;") {
		t.Error(svg)
	}
	if text := d.Mermaid(); strings.ContainsAny(strings.SplitN(text, "user: ", 2)[1], "<>") || strings.Contains(text, "script#gt;; ") {
		t.Error(text)
	}
}
