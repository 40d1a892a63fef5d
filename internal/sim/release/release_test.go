package release

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
)

func TestAVersionBehavesAsTheNewestRecordedOneThatIsNotNewer(t *testing.T) {
	for _, test := range []struct{ version, name, recorded string }{
		{"", "2.1.328", "2.1.328"},
		{"2.1.328", "2.1.328", "2.1.328"},
		{"2.1.327", "2.1.327", "2.1.327"},
		{"2.1.325", "2.1.325", "2.1.325"},
		{"2.1.324", "2.1.324", "2.1.290"},
		{"2.1.90", "2.1.90", "2.1.90"},
		{"2.1.89", "2.1.89", "2.0.77"},
		{"1.0.59", "1.0.59", "1.0.59"},
	} {
		r, err := New(test.version)
		if err != nil {
			t.Errorf("%q: %v", test.version, err)
			continue
		}
		if r.String() != test.name || r.Recorded() != test.recorded {
			t.Errorf("%q is %s and behaves as %s, want %s and %s", test.version, r, r.Recorded(), test.name, test.recorded)
		}
	}
}

func TestAVersionThatIsNotSimulatedIsAnErrorWithThoseThatAre(t *testing.T) {
	for version, part := range map[string]string{
		"2.1.999": "newer than 2.1.328", "3.0.0": "newer than 2.1.328", "1.0.58": "older than 1.0.59", "0.2.9": "older than 1.0.59",
		"latest": "not a version", "2.1": "not a version", "2.1.090": "not a version", "2.1.90-beta": "not a version", "2.1.90 ": "not a version",
	} {
		if _, err := New(version); err == nil || !strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), "1.0.59, 1.0.128, 2.0.77, 2.1.90") {
			t.Errorf("%q: the error is %v, want %q in it and the versions", version, err, part)
		}
	}
}

func TestALineIsAsTheVersionWritesIt(t *testing.T) {
	for _, test := range []struct{ name, version, line, want string }{
		{"what came later is missing", "2.1.250", `{"type":"system","subtype":"init","cwd":"/","original_cwd":"/","uuid":"u"}`, `{"type":"system","subtype":"init","cwd":"/","uuid":"u"}`},
		{"in objects too", "2.0.77", `{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"Read","display_name":"Read","input":{"display_name":1}}}`,
			`{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"Read","input":{"display_name":1}}}`},
		{"a line that came later", "2.1.200", `{"type":"command_lifecycle","command_uuid":"u"}`, ""},
		{"another order", "2.1.250", `{"type":"system","subtype":"status","status":"requesting","session_id":"s","uuid":"u"}`,
			`{"type":"system","subtype":"status","status":"requesting","uuid":"u","session_id":"s"}`},
		{"what nobody knows stays", "1.0.59", `{"type":"no_such","x":1}`, `{"type":"no_such","x":1}`},
		{"the newest has everything", "2.1.328", `{"type":"system","subtype":"init","original_cwd":"/"}`, `{"type":"system","subtype":"init","original_cwd":"/"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := New(test.version)
			if err != nil {
				t.Fatal(err)
			}
			v, err := object.Parse([]byte(test.line))
			if err != nil {
				t.Fatal(err)
			}
			line, ok := r.Line(v.(object.Object))
			got := ""
			if ok {
				got = object.Text(line)
			}
			if got != test.want {
				t.Errorf("%s writes %s, want %s", test.version, got, test.want)
			}
		})
	}
}

func TestAVersionKnowsWhatItWasSeenToHave(t *testing.T) {
	r, err := New("2.1.205")
	if err != nil {
		t.Fatal(err)
	}
	for what, got := range map[string]bool{
		"get_usage": r.Serves("get_usage"), "no get_status": !r.Serves("get_status"), "what is not in the table": r.Serves("no_such"),
		"PreToolUse": r.Calls("PreToolUse"), "no CwdChanged": !r.Calls("CwdChanged"),
		"a flag of its own": r.Has("append-subagent-system-prompt"), "no flag of 2.1.211": !r.Has("forward-subagent-text"),
	} {
		if !got {
			t.Errorf("2.1.205: not so: %s", what)
		}
	}
}
