package schema_test

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/internal/naming"
	"github.com/ccwire/ccwire/schema"
)

// codegenBundle returns the bundle for generators, decoded.
func codegenBundle(t testing.TB, o schema.CodegenOptions) map[string]any {
	t.Helper()
	o.Name = naming.New().Definition
	text, err := schema.Default().CodegenBundle(o)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// eachSchema calls visit for every schema object at and below v, with the path to it.
func eachSchema(v any, at string, visit func(at string, s map[string]any)) {
	s, ok := v.(map[string]any)
	if !ok {
		return
	}
	visit(at, s)
	for _, keyword := range []string{"properties", "definitions"} {
		sub, _ := s[keyword].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(sub)) {
			eachSchema(sub[name], at+"/"+keyword+"/"+name, visit)
		}
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		eachSchema(s[keyword], at+"/"+keyword, visit)
	}
	for _, keyword := range []string{"oneOf", "allOf"} {
		arms, _ := s[keyword].([]any)
		for _, arm := range arms {
			eachSchema(arm, at+"/"+keyword, visit)
		}
	}
}

func definitions(doc map[string]any) map[string]any { return doc["definitions"].(map[string]any) }

// follow returns the definition that a $ref leads to, or the schema itself.
func follow(doc map[string]any, s map[string]any) map[string]any {
	ref, ok := s["$ref"].(string)
	if !ok {
		return s
	}
	d, _ := definitions(doc)[strings.TrimPrefix(ref, "#/definitions/")].(map[string]any)
	return d
}

func TestCodegenBundleHasOnlyKeywordsThatGeneratorsDigest(t *testing.T) {
	allowed := strings.Fields("$schema $id $comment $ref title description type enum properties required additionalProperties items oneOf allOf discriminator definitions")
	eachSchema(codegenBundle(t, schema.CodegenOptions{}), "", func(at string, s map[string]any) {
		for keyword := range s {
			if !slices.Contains(allowed, keyword) {
				t.Errorf("%s has %s", at, keyword)
			}
		}
		if s["enum"] != nil && s["type"] != "string" {
			t.Errorf("%s is an enum of the type %v, want string", at, s["type"])
		}
		if s["type"] == nil && s["$ref"] == nil && s["oneOf"] == nil && s["allOf"] == nil && len(s) > 0 {
			t.Errorf("%s is any JSON and says more, which makes an object of it: %v", at, s)
		}
		if s["$ref"] != nil && len(s) != 1 {
			t.Errorf("%s has keywords beside $ref, which generators ignore", at)
		}
	})
}

func TestCodegenBundleTitlesEveryDefinitionWithItsName(t *testing.T) {
	doc := codegenBundle(t, schema.CodegenOptions{})
	folded := map[string]string{"protocol": "the root"} // some languages spell the names anew
	for name, d := range definitions(doc) {
		if title := d.(map[string]any)["title"]; title != name {
			t.Errorf("%s has the title %v", name, title)
		}
		key := strings.ToLower(name)
		if folded[key] != "" {
			t.Errorf("%s and %s differ in case only", name, folded[key])
		}
		folded[key] = name
	}
	for _, want := range []string{"FromCLI", "FromSDK", "CanUseToolRequest", "PermissionAllow", "ToolUseBlock", "PreToolUseOutput", "SystemInit"} {
		if definitions(doc)[want] == nil {
			t.Errorf("there is no %s", want)
		}
	}
}

func TestCodegenBundleReachesEveryDefinitionFromTheRoot(t *testing.T) {
	for _, direction := range []schema.Direction{schema.Either, schema.FromCLI, schema.FromSDK} {
		doc := codegenBundle(t, schema.CodegenOptions{Direction: direction})
		seen := map[string]bool{}
		var reach func(v any)
		reach = func(v any) {
			eachSchema(v, "", func(at string, s map[string]any) {
				ref, ok := s["$ref"].(string)
				if name := strings.TrimPrefix(ref, "#/definitions/"); ok && !seen[name] {
					seen[name] = true
					if definitions(doc)[name] == nil {
						t.Errorf("$ref %q leads nowhere", ref)
					}
					reach(definitions(doc)[name])
				}
			})
		}
		for _, p := range doc["properties"].(map[string]any) {
			reach(p)
		}
		for name := range definitions(doc) {
			if !seen[name] {
				t.Errorf("direction %d: %s is not reachable", direction, name)
			}
		}
	}
}

func TestCodegenBundleUnionsHaveTheKnownArmsAlone(t *testing.T) {
	doc := codegenBundle(t, schema.CodegenOptions{})
	tagged := 0
	eachSchema(doc, "", func(at string, s map[string]any) {
		d, ok := s["discriminator"].(map[string]any)
		if !ok {
			return
		}
		tagged++
		tag := d["propertyName"].(string)
		values := map[any]bool{}
		for _, arm := range s["oneOf"].([]any) {
			target := follow(doc, arm.(map[string]any))
			property, _ := target["properties"].(map[string]any)[tag].(map[string]any)
			enum, _ := property["enum"].([]any)
			if len(enum) != 1 || values[enum[0]] {
				t.Errorf("%s: the arm %v does not have a %s of its own: %v", at, target["title"], tag, enum)
				continue
			}
			values[enum[0]] = true
			if required, _ := target["required"].([]any); !slices.Contains(required, any(tag)) {
				t.Errorf("%s: %v does not require %s", at, target["title"], tag)
			}
		}
	})
	if tagged < 15 {
		t.Errorf("%d unions have a discriminator, want 15 or more", tagged)
	}
	for name, d := range definitions(doc) {
		if strings.Contains(name, "Unknown") || strings.Contains(name, "Legacy") {
			t.Errorf("%s is there: %v", name, d)
		}
	}
	var got []string
	for _, arm := range definitions(doc)["FromSDK"].(map[string]any)["oneOf"].([]any) {
		got = append(got, strings.TrimPrefix(arm.(map[string]any)["$ref"].(string), "#/definitions/"))
	}
	want := []string{"ControlRequest", "ControlResponse", "ControlCancelRequest", "BashCommand", "KeepAlive",
		"QueuedNotification", "SessionNotice", "UpdateEnvironmentVariables", "WorkflowLaunch", "Assistant", "System", "User"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("arms of FromSDK (-want +got):\n%s", diff)
	}
}

func TestCodegenBundleMapsEveryRequestToItsResponse(t *testing.T) {
	doc := codegenBundle(t, schema.CodegenOptions{})
	responses := definitions(doc)["ControlResponses"].(map[string]any)
	got := map[string]string{}
	for subtype, p := range responses["properties"].(map[string]any) {
		got[subtype] = strings.TrimPrefix(p.(map[string]any)["$ref"].(string), "#/definitions/")
	}
	for _, arm := range definitions(doc)["Request"].(map[string]any)["oneOf"].([]any) {
		request := follow(doc, arm.(map[string]any))
		subtype := request["properties"].(map[string]any)["subtype"].(map[string]any)["enum"].([]any)[0].(string)
		if got[subtype] == "" {
			t.Errorf("%s has no response", subtype)
		}
		if !slices.Contains(responses["required"].([]any), any(subtype)) {
			t.Errorf("the response of %s is optional", subtype)
		}
	}
	for subtype, want := range map[string]string{
		"can_use_tool":  "PermissionResult",
		"hook_callback": "HookOutput",
		"initialize":    "InitializeResponse",
		"set_color":     "EmptyResponse",
	} {
		if got[subtype] != want {
			t.Errorf("the response of %s is %s, want %s", subtype, got[subtype], want)
		}
	}
	inputs := definitions(doc)["ToolInputs"].(map[string]any)["properties"].(map[string]any)
	if inputs["Task"] == nil || !cmp.Equal(inputs["Task"], inputs["Agent"]) {
		t.Errorf("the input of a tool under its old name is %v, under its name %v", inputs["Task"], inputs["Agent"])
	}
	if inputs["ExitPlanMode"] == nil || inputs["exit_plan_mode"] != nil {
		t.Error("names that a language writes alike are not one member")
	}
	outputs := definitions(doc)["HookOutputs"].(map[string]any)["properties"].(map[string]any)
	if want := len(definitions(doc)["HookSpecificOutput"].(map[string]any)["oneOf"].([]any)); len(outputs) != want {
		t.Errorf("%d hook outputs, want %d", len(outputs), want)
	}
}

func TestCodegenBundleHasWhatTheSideSends(t *testing.T) {
	// An SDK may send back what a CLI has written, such as a message of the model.
	again := []string{"message", "shared", "content"}
	for _, row := range []struct {
		direction schema.Direction
		other     string   // what is sent this way alone is not there
		requests  []string // all of them, if not nil
		has, not  []string
		pending   bool // a success has the pending requests of the CLI
	}{
		{schema.FromCLI, "sdk-to-cli",
			[]string{"can_use_tool", "elicitation", "hook_callback", "host_auth_token_refresh", "mcp_message", "oauth_token_refresh", "remote_control_work_secret", "request_user_dialog"},
			[]string{"SystemInit", "InitializeResponse", "PreToolUseInput"},
			[]string{"InitializeRequest", "PermissionAllow", "PreToolUseOutput", "HookOutputs", "FromSDK"}, true},
		{schema.FromSDK, "cli-to-sdk", nil,
			[]string{"InitializeRequest", "PermissionAllow", "PreToolUseOutput", "HookOutputs"},
			[]string{"CanUseToolRequest", "InitializeResponse", "PreToolUseInput", "FromCLI"}, false},
	} {
		doc := codegenBundle(t, schema.CodegenOptions{Direction: row.direction})
		names := naming.New()
		for _, d := range schema.Default().Definitions() {
			name, err := names.Definition(d)
			if err != nil {
				t.Fatal(err)
			}
			repeated := row.direction == schema.FromSDK && slices.Contains(again, path.Dir(d.File))
			if definitions(doc)[name] != nil && d.Direction == row.other && !repeated {
				t.Errorf("direction %d: %s is there, and %s", row.direction, name, d.Direction)
			}
		}
		var requests []string
		for _, arm := range definitions(doc)["Request"].(map[string]any)["oneOf"].([]any) {
			subtype := follow(doc, arm.(map[string]any))["properties"].(map[string]any)["subtype"].(map[string]any)
			requests = append(requests, subtype["enum"].([]any)[0].(string))
		}
		slices.Sort(requests)
		if row.requests != nil && !slices.Equal(requests, row.requests) {
			t.Errorf("direction %d: the requests are %q", row.direction, requests)
		}
		for _, name := range row.has {
			if definitions(doc)[name] == nil {
				t.Errorf("direction %d: there is no %s", row.direction, name)
			}
		}
		for _, name := range row.not {
			if definitions(doc)[name] != nil {
				t.Errorf("direction %d: there is %s", row.direction, name)
			}
		}
		success := definitions(doc)["SuccessResponse"].(map[string]any)["properties"].(map[string]any)
		if _, ok := success["pending_permission_requests"]; ok != row.pending {
			t.Errorf("direction %d: the pending requests of the CLI are there: %v", row.direction, ok)
		}
	}
}

func TestCodegenBundleRootIsOfTheDirection(t *testing.T) {
	for direction, want := range map[schema.Direction][]string{
		schema.Either:  {"control_responses", "from_cli", "from_sdk", "hook_outputs", "tool_inputs", "tool_results"},
		schema.FromCLI: {"control_responses", "from_cli", "tool_inputs", "tool_results"},
		schema.FromSDK: {"control_responses", "from_sdk", "hook_outputs", "tool_inputs", "tool_results"},
	} {
		doc := codegenBundle(t, schema.CodegenOptions{Direction: direction})
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(doc["properties"].(map[string]any)))); diff != "" {
			t.Errorf("members of the root (-want +got):\n%s", diff)
		}
		if both := definitions(doc)["FromCLI"] != nil && definitions(doc)["FromSDK"] != nil; both != (direction == schema.Either) {
			t.Errorf("direction %d has the lines of both: %v", direction, both)
		}
	}
}

func TestCodegenBundleIsOpenUnlessClosed(t *testing.T) {
	for _, closed := range []bool{false, true} {
		doc := codegenBundle(t, schema.CodegenOptions{Closed: closed})
		for name, d := range definitions(doc) {
			s := d.(map[string]any)
			if s["type"] == "object" && s["properties"] == nil && s["additionalProperties"] == nil {
				t.Errorf("closed %v: a generator would drop all that %s has", closed, name)
			}
			if s["properties"] == nil || slices.Contains([]string{"ControlResponses", "HookOutputs", "ToolInputs", "ToolResults"}, name) {
				continue
			}
			if got := s["additionalProperties"] == false; got != closed {
				t.Errorf("closed %v: %s has additionalProperties %v", closed, name, s["additionalProperties"])
			}
		}
	}
}

func TestCodegenBundleOfOneTypeReads(t *testing.T) {
	doc := codegenBundle(t, schema.CodegenOptions{})
	want := map[string]any{
		"title":         "PermissionResult",
		"description":   schema.Default().Lookup("permission/result.json").Description,
		"discriminator": map[string]any{"propertyName": "behavior"},
		"oneOf": []any{
			map[string]any{"$ref": "#/definitions/PermissionAllow"},
			map[string]any{"$ref": "#/definitions/PermissionDeny"},
		},
	}
	if diff := cmp.Diff(want, definitions(doc)["PermissionResult"]); diff != "" {
		t.Errorf("PermissionResult (-want +got):\n%s", diff)
	}
	mode := definitions(doc)["PermissionMode"].(map[string]any)
	if mode["type"] != "string" || mode["enum"] != nil || !strings.HasSuffix(mode["description"].(string), "Known values: default, acceptEdits, bypassPermissions, plan, dontAsk, auto, manual.") {
		t.Errorf("the open enum PermissionMode is %v, want a string with the known values in its description", mode)
	}
}
