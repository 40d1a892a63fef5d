package schema

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seedVector is a frame of an old description of the protocol, with the place it is from.
type seedVector struct {
	Seed  string
	Line  int
	Frame json.RawMessage
}

func (v *seedVector) at() string { return fmt.Sprintf("%.3s:%d", v.Seed, v.Line) }

func seedVectors(t testing.TB) (all []*seedVector) {
	t.Helper()
	text, err := os.ReadFile("testdata/seed_vectors.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		v := &seedVector{}
		if err := json.Unmarshal([]byte(line), v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

func TestSeedFramesAreValidButForTheOneWithoutRequestID(t *testing.T) {
	all := seedVectors(t)
	if len(all) != 73 {
		t.Errorf("%d vectors, want 73", len(all))
	}
	rejected := map[string][]string{}
	for _, v := range all {
		for _, p := range violations(t, Default().Open().ValidateFrame(Either, v.Frame)) {
			rejected[v.at()] = append(rejected[v.at()], p.Path)
		}
	}
	if diff := cmp.Diff(map[string][]string{"002:231": {"/request_id"}}, rejected); diff != "" {
		t.Error(diff)
	}
}

func TestLegacyShapesOfTheSeedsAreFound(t *testing.T) {
	set := Default()
	got := map[string][]string{}
	for _, v := range seedVectors(t) {
		findings, err := set.Lint(Either.Definition(), v.Frame)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			got[v.at()] = append(got[v.at()], f.Kind.String()+" "+f.Path)
		}
		if closed := set.Closed().ValidateFrame(Either, v.Frame); (closed == nil) != (findings == nil) {
			t.Errorf("%s: the lint finds %v, the closed form says %v", v.at(), findings, closed)
		}
	}
	want := map[string][]string{
		"000:293":  {"legacy shape /request/permission_suggestions/0"}, // a string
		"001:649":  {"legacy shape /request/enable_file_checkpointing", "legacy shape /request/mcp_servers"},
		"001:671":  {"legacy shape /request/permission_suggestions/0"},                          // a string
		"001:1290": {"legacy shape "},                                                           // user with content at the top
		"001:1313": {"legacy shape "},                                                           // user with content at the top
		"002:180":  {"legacy shape "},                                                           // assistant with a delta
		"002:198":  {"legacy shape ", "legacy shape /message/request/permission_suggestions/0"}, // wrapped request
		"002:231":  {"invalid /request_id"},                                                     // no request_id
		"002:306":  {"legacy shape ", "legacy shape /error"},                                    // error line
		"003:102": { // allow_once and the like
			"legacy shape /request/permission_suggestions/0/type",
			"legacy shape /request/permission_suggestions/1/type",
			"legacy shape /request/permission_suggestions/2/type",
		},
		"003:152": {"legacy shape /response/subtype"}, // can_use_tool_response
		"003:226": {"legacy shape /response/subtype"}, // hook_callback_response
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOtherLegacyShapesAreFound(t *testing.T) {
	tests := []struct{ name, definition, doc, want string }{
		{"request_id beside response", Either.Definition(),
			`{"type":"control_response","request_id":"1","response":{"subtype":"success","response":{}}}`, "legacy shape "},
		{"response without subtype", Either.Definition(),
			`{"type":"control_response","response":{"request_id":"1","response":{}}}`, "legacy shape "},
		{"mcp_message_response", Either.Definition(),
			`{"type":"control_response","response":{"subtype":"mcp_message_response","request_id":"1"}}`, "legacy shape /response/subtype"},
		{"behavior ask", "permission/result.json", `{"behavior":"ask"}`, "legacy shape /behavior"},
		{"behavior prompt", "permission/result.json", `{"behavior":"prompt"}`, "legacy shape /behavior"},
		{"permission update without type", "permission/result.allow.json",
			`{"behavior":"allow","updatedPermissions":[{"tool":"Write","path":"/scratch","permission":"allow"}]}`,
			"legacy shape /updatedPermissions/0"},
		{"supported_commands", "control/initialize.json#/$defs/Response",
			`{"supported_commands":["interrupt"]}`, "legacy shape /supported_commands"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := Default().Open().Validate(test.definition, []byte(test.doc)); err != nil {
				t.Errorf("it is not valid: %v", err)
			}
			if err := Default().Closed().Validate(test.definition, []byte(test.doc)); err == nil {
				t.Error("the closed form accepts it")
			}
			findings, err := Default().Lint(test.definition, []byte(test.doc))
			if err != nil || len(findings) == 0 || findings[0].Kind.String()+" "+findings[0].Path != test.want {
				t.Errorf("got %v, error %v, want %s", findings, err, test.want)
			}
		})
	}
}
