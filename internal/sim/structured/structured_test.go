package structured_test

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/structured"
)

// TestAnswersAreHeldToTheirSchema holds what 2.1.325 says of answers that do not fit.
func TestAnswersAreHeldToTheirSchema(t *testing.T) {
	for _, tt := range []struct{ name, schema, answer, want string }{
		{"fits", `{"type":"object","required":["a"]}`, `{"a":1}`, ""},
		{"types", `{"properties":{"a":{"type":"integer"},"f":{"type":["string","null"]}}}`, `{"a":1.5,"f":1}`, "/a: must be integer, /f: must be string,null"},
		{"nullable", `{"properties":{"g":{"type":"string","nullable":true}}}`, `{"g":null}`, ""},
		{"numbers", `{"properties":{"a":{"minimum":3,"exclusiveMinimum":3,"multipleOf":2}}}`, `{"a":1}`, "/a: must be >= 3, /a: must be > 3, /a: must be multiple of 2"},
		{"texts", `{"properties":{"a":{"maxLength":1,"pattern":"^x"}}}`, `{"a":"yy"}`, `/a: must NOT have more than 1 characters (got 2), /a: must match pattern "^x"`},
		{"enum", `{"properties":{"a":{"enum":["x","y"]},"b":{"const":3}}}`, `{"a":"z","b":4}`,
			`/a: must be equal to one of the allowed values: ["x","y"], /b: must be equal to constant: 3`},
		{"lists", `{"properties":{"a":{"type":"array","items":{"type":"number"},"maxItems":3,"uniqueItems":true}}}`, `{"a":["x",2,2,"y"]}`,
			"/a: must NOT have more than 3 items (got 4), /a: must NOT have duplicate items (items ## 2 and 1 are identical), /a/0: must be number, /a/3: must be number"},
		{"members", `{"type":"object","properties":{"n":{"type":"number"}},"required":["m"],"additionalProperties":false}`, `{"n":"x","z":1}`,
			"root: must have required property 'm', root: must NOT have additional properties ('z' is not allowed), /n: must be number"},
		{"names", `{"properties":{"o":{"propertyNames":{"maxLength":2},"patternProperties":{"^p":{"type":"string"}}}}}`, `{"o":{"pp":1,"ppp":"x"}}`,
			"/o: must NOT have more than 2 characters, /o: property name must be valid, /o/pp: must be string"},
		{"dependencies", `{"properties":{"e":{"dependencies":{"q":["r"]}}}}`, `{"e":{"q":1}}`, "/e: must have property r when property q is present"},
		{"any", `{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"number"}]}}}`, `{"a":true}`,
			"/a: must be string, /a: must be number, /a: must match a schema in anyOf"},
		{"one", `{"properties":{"b":{"oneOf":[{"type":"string"},{"minLength":1}]}}}`, `{"b":"x"}`, "/b: must match exactly one schema in oneOf"},
		{"if", `{"properties":{"e":{"if":{"type":"string"},"else":{"type":"number"}}}}`, `{"e":null}`, `/e: must be number, /e: must match "else" schema`},
		{"references", `{"properties":{"f":{"$ref":"#/$defs/F"}},"$defs":{"F":{"required":["z"],"properties":{"l":{"items":{"$ref":"#/$defs/F"}}}}}}`, `{"f":{"z":1,"l":[{}]}}`,
			"/f/l/0: must have required property 'z'"},
		{"a wrong type is told where its keywords are", `{"properties":{"a":{"type":"object","required":["x"],"enum":[1]}}}`, `{"a":2}`,
			"/a: must be equal to one of the allowed values: [1], /a: must be object"},
		{"never", `{"properties":{"a":false}}`, `{"a":1}`, "/a: boolean schema is false"},
		{"odd names", `{"properties":{"a/b":{"type":"string"}}}`, `{"a/b":1}`, "/a~1b: must be string"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := structured.Parse(tt.schema)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := object.Parse([]byte(tt.answer))
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Check(answer); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestTextsStandForWhatTheSchemaWants(t *testing.T) {
	s, err := structured.Parse(`{"properties":{"i":{"type":"integer"},"n":{"anyOf":[{"type":"number"}]},"b":{"type":"boolean"},"a":{"type":"array"},"o":{"type":"object"},"s":{"type":["string","number"]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		`{"i":"7","n":"-2.5","b":"true","a":"[1,2]","o":"{\"q\":1}"}`: `{"i":7,"n":-2.5,"b":true,"a":[1,2],"o":{"q":1}}`,
		`{"i":"1.5","n":"1e3","b":"TRUE","a":"x","s":"5","z":"1"}`:    `{"i":"1.5","n":"1e3","b":"TRUE","a":"x","s":"5","z":"1"}`,
		`{"i":"1.0","n":"01","a":"{}"}`:                               `{"i":"1.0","n":"01","a":"{}"}`,
	} {
		answer, err := object.Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if got := object.Text(s.Adapt(answer.(object.Object))); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}

func TestASchemaThatTheCLIDoesNotKnowIsRefused(t *testing.T) {
	for schema, want := range map[string]string{
		`{oops`:                        "is not valid JSON",
		`[1]`:                          "must be a JSON object",
		`{"type":"objekt"}`:            "must be equal to one of the allowed values",
		`{"properties":{"a":{"x":1}}}`: `unknown keyword: "x"`,
		`{"$ref":"#/nope"}`:            "can't resolve reference #/nope",
		`{"$schema":"https://json-schema.org/draft/2020-12/schema"}`: "no schema with key or ref",
	} {
		if _, err := structured.Parse(schema); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", schema, err, want)
		}
	}
}
