package schema

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
)

// arm is a definition whose tags have the given constants.
func arm(tags ...string) string {
	var required, properties []string
	for _, tag := range tags {
		name, value, _ := strings.Cut(tag, "=")
		required = append(required, `"`+name+`"`)
		properties = append(properties, `"`+name+`":{"const":"`+value+`"}`)
	}
	return `{"type":"object","required":[` + strings.Join(required, ",") + `],"properties":{` + strings.Join(properties, ",") + `}}`
}

func TestUnionIsFlattenedIntoTypeAndSubtype(t *testing.T) {
	set := mustLoad(t, map[string]string{
		"u/frame.json": `{"oneOf":[{"$ref":"#/$defs/Result"},{"$ref":"system.json"},{"$ref":"#/$defs/Unknown"},{"$ref":"#/$defs/Old"}],
			"$defs":{
				"Result":` + arm("subtype=ok", "type=result") + `,
				"Old":{"type":"object","x-evidence":"legacy","required":["type","delta"],"properties":{"type":{"const":"result"},"delta":{"type":"string"}}},
				"Unknown":{"type":"object","x-unknown":true,"required":["type"],"properties":{"type":{"type":"string","not":{"enum":["result","system"]}}}}}}`,
		"u/system.json": `{"oneOf":[{"$ref":"#/$defs/Init"},{"$ref":"#/$defs/Status"},{"$ref":"#/$defs/Unknown"}],
			"$defs":{
				"Init":` + arm("type=system", "subtype=init") + `,
				"Status":{"type":"object","required":["type","subtype"],"properties":{"type":{"const":"system"},"subtype":{"enum":["status","state"]}}},
				"Unknown":{"type":"object","x-unknown":true,"required":["type","subtype"],"properties":{"type":{"const":"system"},"subtype":{"type":"string","not":{"enum":["init","status","state"]}}}}}}`,
	})
	u, ok := set.Union(set.Lookup("u/frame.json").Node)
	if !ok {
		t.Fatal("no union")
	}
	if diff := cmp.Diff([]string{"type", "subtype"}, u.Tags); diff != "" {
		t.Error(diff)
	}
	type row struct {
		Name            string
		Index           int
		Unknown, Legacy bool
		Tags            []Tag
	}
	var got []row
	for _, a := range u.Arms {
		got = append(got, row{a.Definition.Name(), a.Index, a.Unknown, a.Legacy, a.Tags})
	}
	want := []row{
		{"u/frame.json#/$defs/Result", 0, false, false, []Tag{{"subtype", []string{"ok"}, nil}, {"type", []string{"result"}, nil}}},
		{"u/system.json#/$defs/Init", 1, false, false, []Tag{{"type", []string{"system"}, nil}, {"subtype", []string{"init"}, nil}}},
		{"u/system.json#/$defs/Status", 1, false, false, []Tag{{"type", []string{"system"}, nil}, {"subtype", []string{"status", "state"}, nil}}},
		{"u/system.json#/$defs/Unknown", 1, true, false, []Tag{{"type", []string{"system"}, nil}, {"subtype", nil, []string{"init", "status", "state"}}}},
		{"u/frame.json#/$defs/Unknown", 2, true, false, []Tag{{"type", nil, []string{"result", "system"}}}},
		{"u/frame.json#/$defs/Old", 3, false, true, []Tag{{"type", []string{"result"}, nil}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestArmsThatCannotBeToldApartDoNotLoad(t *testing.T) {
	unknown := func(values string) string {
		return `{"type":"object","x-unknown":true,"required":["type"],"properties":{"type":{"type":"string","not":{"enum":[` + values + `]}}}}`
	}
	open := func(values string) string {
		return `{"type":"object","required":["type"],"properties":{"type":{"type":"string","x-enum":["x"],"not":{"enum":[` + values + `]}}}}`
	}
	tests := []struct{ name, a, b, text string }{
		{"open arm takes a known tag", arm("type=a"), open(`"b"`), `does not leave out the type "a"`},
		{"open arm leaves out its own tag", arm("type=a"), open(`"a","x"`), `"x", which no arm has`},
		{"two arms for unknown tags", open(`"x"`), unknown(`"x"`), "several unknown arms"},
		{"same tag", arm("type=a"), arm("type=a"), "no tag tells these arms apart"},
		{"no common tag", arm("type=a"), arm("kind=a"), "no tag tells these arms apart"},
		{"tag not required", arm("type=a"), `{"type":"object","properties":{"type":{"const":"b"}}}`, "no tag tells these arms apart"},
		{"same kind twice", `{"type":"string"}`, `{"type":["string","number"]}`, "both accept the kind string"},
		{"unknown arm takes a known tag", arm("type=a"), unknown(`"b"`), `does not leave out the type "a"`},
		{"unknown arm leaves out too much", arm("type=a"), unknown(`"a","b"`), `"b", which no arm has`},
		{"union in itself", arm("type=a"), `{"oneOf":[{"$ref":"x.json"},{"type":"null"}]}`, "contains itself"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Load(tree(map[string]string{
				"a/x.json": `{"oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":` + test.a + `,"B":` + test.b + `}}`,
			}))
			var got *LoadError
			if !errors.As(err, &got) || got.Pointer != "/oneOf" || !strings.Contains(got.Error(), test.text) {
				t.Errorf("got %v, want %q at a/x.json#/oneOf", err, test.text)
			}
		})
	}
}

// TestAnArmWithAnOpenEnumTakesUnknownTags has an arm whose tag has known values and leaves out
// those of the other.
func TestAnArmWithAnOpenEnumTakesUnknownTags(t *testing.T) {
	set := mustLoad(t, map[string]string{
		"a/x.json": `{"oneOf":[{"$ref":"#/$defs/Good"},{"$ref":"#/$defs/Bad"}],"$defs":{"Good":` + arm("type=good") + `,
			"Bad":{"type":"object","required":["type","why"],"properties":{"why":{"type":"string"},
				"type":{"type":"string","x-enum":["bad","worse"],"not":{"enum":["good"]}}}}}}`,
	})
	for _, row := range []struct {
		doc          string
		open, closed bool
		lint         string
	}{
		{`{"type":"good"}`, true, true, ""},
		{`{"type":"bad","why":"w"}`, true, true, ""},
		{`{"type":"worse","why":"w"}`, true, true, ""},
		{`{"type":"worst","why":"w"}`, true, false, "unknown value at /type"},
		{`{"type":"worst"}`, false, false, "invalid at /why"},
		{`{"type":"good","why":"w"}`, true, false, "unknown member at /why"},
	} {
		if err := set.Open().Validate("a/x.json", []byte(row.doc)); (err == nil) != row.open {
			t.Errorf("%s: open form: %v", row.doc, err)
		}
		if err := set.Closed().Validate("a/x.json", []byte(row.doc)); (err == nil) != row.closed {
			t.Errorf("%s: closed form: %v", row.doc, err)
		}
		found, err := set.Lint("a/x.json", []byte(row.doc))
		if err != nil || (row.lint == "") != (len(found) == 0) {
			t.Errorf("%s: lint: %v, %v", row.doc, found, err)
		}
		if row.lint != "" && !slices.ContainsFunc(found, func(d codec.Deviation) bool { return strings.HasPrefix(d.String(), row.lint) }) {
			t.Errorf("%s: lint: %v, want %s", row.doc, found, row.lint)
		}
	}
}

func TestChoiceBetweenKindsIsNoUnion(t *testing.T) {
	set := mustLoad(t, map[string]string{
		"a/x.json": `{"oneOf":[{"type":"string"},{"$ref":"#/$defs/A"},{"type":"null"}],"$defs":{"A":` + arm("type=a") + `}}`,
	})
	if _, ok := set.Union(set.Lookup("a/x.json").Node); ok {
		t.Error("a string, an object and null are a union")
	}
}
