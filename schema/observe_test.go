package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObserveNamesMembersKindsAndTags(t *testing.T) {
	doc := `{"type":"control_request","request_id":"r1","request":{"subtype":"interrupt","novel":1}}`
	got := map[string]Observation{}
	found, err := Default().Observe(FromSDK.Definition(), []byte(doc), func(o Observation) { got[o.Member+" "+o.Kind] = o })
	if err != nil {
		t.Fatal(err)
	}
	listed, err := Default().Lint(FromSDK.Definition(), []byte(doc))
	if diff := cmp.Diff(listed, found); diff != "" || len(found) != 1 || err != nil {
		t.Errorf("%v, deviations other than those of the lint: -want +got\n%s", err, diff)
	}
	for key, want := range map[string]Observation{
		"subtype string":    {Definition: "control/interrupt.json#/$defs/Request", Member: "subtype", Kind: "string", Value: "interrupt", Known: true},
		"novel number":      {Definition: "control/interrupt.json#/$defs/Request", Member: "novel", Kind: "number"},
		"request_id string": {Definition: "envelope/control_request.json", Member: "request_id", Kind: "string", Known: true},
	} {
		if diff := cmp.Diff(want, got[key]); diff != "" {
			t.Errorf("%s: -want +got\n%s", key, diff)
		}
	}
}

func TestObserveValidSeesWhatObserveDoes(t *testing.T) {
	set := Default()
	for _, d := range set.Definitions() {
		for _, doc := range d.Examples {
			var want, got []Observation
			listed, err := set.Observe(d.Name(), doc, func(o Observation) { want = append(want, o) })
			if err != nil {
				t.Fatal(err)
			}
			found, err := set.ObserveValid(d.Name(), doc, func(o Observation) { got = append(got, o) })
			if diff := cmp.Diff(want, got) + cmp.Diff(listed, found); diff != "" || err != nil {
				t.Errorf("%s: %v, -want +got\n%s", d.Name(), err, diff)
			}
		}
	}
	if _, err := set.ObserveValid("missing.json", []byte("{}"), nil); err == nil {
		t.Error("a definition that does not exist is not an error")
	}
	if _, err := set.ObserveValid("shared/usage.json", []byte("{"), nil); err == nil {
		t.Error("a text that is not JSON is not an error")
	}
}
