package schema

import "testing"

func TestResponsesAreFoundBySubtypeInEveryFolder(t *testing.T) {
	for subtype, want := range map[string]string{
		"set_model":       "control/set_model.json#/$defs/Response",
		"ui_attach":       "host/ui_attach.json#/$defs/Response",
		"poll_event":      "", // its answer says nothing
		"no_such_request": "",
	} {
		got := ""
		if d := Default().Response(subtype); d != nil {
			got = d.Name()
		}
		if got != want {
			t.Errorf("the response to %s is %q, want %q", subtype, got, want)
		}
	}
}

func TestRequestsAreInFilesOfTheirOwn(t *testing.T) {
	for name, want := range map[string]bool{
		"control/interrupt.json#/$defs/Request":        true,
		"host/ui_attach.json#/$defs/Request":           true,
		"host/ui_attach.json#/$defs/Response":          false,
		"envelope/control_request.json#/$defs/Request": false, // the union of all
	} {
		if got := Default().Lookup(name).IsRequest(); got != want {
			t.Errorf("IsRequest of %s = %v", name, got)
		}
	}
}
