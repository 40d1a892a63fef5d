package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/schema"
)

func TestPlacesSayWhatEachPartIs(t *testing.T) {
	const request = "control/can_use_tool.json#/$defs/Request"
	const inside = `"request":{"subtype":"can_use_tool","tool_name":"Write","input":{"file_path":"/a","content":"x"}}}`
	outer := []string{" envelope/from_cli.json", " envelope/control_request.json"}
	for name, test := range map[string]struct {
		doc  string
		want []string
	}{
		"valid": {`{"type":"control_request","request_id":"r",` + inside, append(outer,
			"/request envelope/control_request.json#/$defs/Request", "/request "+request,
			"/request/input tool/Write.json#/$defs/Input", "/request/tool_name shared/tool_name.json")},
		"invalid": {`{"type":"control_request","request_id":7,"request":{"subtype":"can_use_tool"}}`, append(outer,
			"/request envelope/control_request.json#/$defs/Request", "/request "+request)},
	} {
		t.Run(name, func(t *testing.T) {
			places, err := schema.Default().Places(schema.FromCLI.Definition(), []byte(test.doc))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range places {
				got = append(got, p.At+" "+p.Definition.Name())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
	for definition, doc := range map[string]string{"no/such.json": "{}", schema.FromCLI.Definition(): "{"} {
		if places, err := schema.Default().Places(definition, []byte(doc)); err == nil {
			t.Errorf("%s as %s: %v", doc, definition, places)
		}
	}
}
