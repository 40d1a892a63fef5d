package typings_test

import (
	"testing"

	"github.com/ccwire/ccwire/internal/typings"
)

func TestAMemberIsRequiredIfEveryEntryOfItsDefinitionSaysSo(t *testing.T) {
	inv, err := typings.Parse([]byte(`{
		"source": "anything",
		"stdout": {
			"result.error_max_turns": {"both": {"required": true}, "one": {"required": true}, "only": {"required": true}, "none": {"required": false}},
			"result.error_during_execution": {"both": {"required": true}, "one": {"required": false}}
		}}`))
	if err != nil {
		t.Fatal(err)
	}
	for member, want := range map[string]bool{"both": true, "one": false, "only": true, "none": false, "missing": false} {
		if got := inv.Required()("message/result.error.json", member); got != want {
			t.Errorf("%s: %v", member, got)
		}
	}
	for _, text := range []string{"", "[]", `{"stdout": 1}`} {
		if _, err := typings.Parse([]byte(text)); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
