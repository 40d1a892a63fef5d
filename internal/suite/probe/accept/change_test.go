package accept

import (
	"slices"
	"testing"

	"github.com/ccwire/ccwire/internal/accepts"
	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/schema"
)

// TestEveryChangeDiffersInOneMember holds that a line is changed in one place and otherwise kept.
func TestEveryChangeDiffersInOneMember(t *testing.T) {
	body, err := object.Parse([]byte(`{"subtype":"set_permission_mode","mode":"plan"}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes(schema.Default(), schema.Default().Request("set_permission_mode").Node, body, false) {
		got = append(got, c.member+" "+string(c.value)+" "+object.Text(c.body))
	}
	for _, want := range []string{
		` extra {"subtype":"set_permission_mode","mode":"plan","ccwire_extra":{"a":[1]}}`,
		`/mode absent {"subtype":"set_permission_mode"}`,
		`/mode null {"subtype":"set_permission_mode","mode":null}`,
		`/mode unknown {"subtype":"set_permission_mode","mode":"ccwire_unknown"}`,
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %s in %q", want, got)
		}
	}
}

// of returns a play with a value at a path.
func of(value string) *seen {
	return &seen{values: map[string][]string{"result": {value}}, answered: true}
}

func TestEffectIsWhatDiffers(t *testing.T) {
	for _, test := range []struct {
		name                     string
		intact, without, changed *seen
		value                    accepts.Value
		want                     accepts.Effect
	}{
		{"as without it, and it does something", of("a"), of("b"), of("b"), accepts.Number, accepts.Ignored},
		{"null as without it", of("a"), of("b"), of("b"), accepts.Null, accepts.Taken},
		{"no difference at all", of("a"), of("a"), of("a"), accepts.Number, accepts.Taken},
		{"another value", of("a"), of("b"), of("c"), accepts.Number, accepts.Used},
		{"no answer", of("a"), of("b"), &seen{}, accepts.Number, accepts.Lost},
		{"an error", of("a"), of("b"), &seen{answered: true, refused: true}, accepts.Number, accepts.Refused},
		{"the end", of("a"), of("b"), &seen{dead: true}, accepts.Number, accepts.Fatal},
		{"a complaint", of("a"), of("b"), &seen{answered: true, complain: []string{"invalid"}}, accepts.Number, accepts.Refused},
	} {
		p := &plays{
			intact:  []*seen{test.intact},
			changes: []change{{member: "/a", value: accepts.Absent}, {member: "/a", value: test.value}},
			changed: [][]*seen{{test.without}, {test.changed}},
		}
		if got := p.effect(1, 0, nil); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
