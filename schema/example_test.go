package schema_test

import (
	"fmt"

	"github.com/ccwire/ccwire/schema"
)

func Example() {
	line := []byte(`{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"Bash","urgent":true}}`)
	err := schema.Default().Open().ValidateFrame(schema.FromCLI, line)
	fmt.Println(err)

	line = []byte(`{"type":"control_request","request_id":"1","request":{"subtype":"interrupt","gently":true}}`)
	findings, _ := schema.Default().Lint(schema.FromSDK.Definition(), line)
	fmt.Println(findings)
	// Output:
	// invalid at /request/input: missing required member "input" (control/can_use_tool.json#/$defs/Request/required)
	// [unknown member at /request/gently: "gently"]
}

func ExampleSet_Union() {
	set := schema.Default()
	union, _ := set.Union(set.Lookup("envelope/control_request.json#/$defs/Request").Node)
	fmt.Println(union.Tags)
	for _, arm := range union.Arms[:2] {
		fmt.Println(arm.Tags[0].Values[0], arm.Definition.Name())
	}
	// Output:
	// [subtype]
	// apply_flag_settings control/apply_flag_settings.json#/$defs/Request
	// background_tasks control/background_tasks.json#/$defs/Request
}
