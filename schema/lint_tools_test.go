package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/schema"
)

func TestLintToolsJudgesWhatTheToolNamedBesideTakes(t *testing.T) {
	question := func(tool, input string) string {
		return `{"type":"control_request","request_id":"7","request":{"subtype":"can_use_tool","tool_name":"` + tool + `","input":` + input + `}}`
	}
	for _, row := range []struct {
		name, line string
		want       []string
	}{
		{"what it takes", question("Bash", `{"command":"ls"}`), nil},
		{"another name, and what is missing", question("Bash", `{"comand":"ls"}`),
			[]string{`unknown member at /request/input/comand: "comand"`, `invalid at /request/input/command: missing required member "command"`}},
		{"another kind", question("Bash", `{"command":7}`), []string{"invalid at /request/input/command: got a number, want a string"}},
		{"a tool that is not known", question("mcp__s__t", `{"comand":7}`), nil},
		{"a block that begins", `{"type":"stream_event","session_id":"s","parent_tool_use_id":null,"uuid":"u","event":{"type":"content_block_start","index":0,` +
			`"content_block":{"type":"tool_use","id":"t","name":"Write","input":{}}}}`, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			found, err := schema.Default().LintTools(schema.FromCLI.Definition(), []byte(row.line))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range found {
				got = append(got, d.Kind.String()+" at "+d.Path+": "+d.Detail)
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
	if _, err := schema.Default().LintTools(schema.FromCLI.Definition(), []byte("{")); err == nil {
		t.Error("half a line is judged")
	}
}
