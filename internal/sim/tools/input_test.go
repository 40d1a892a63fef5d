package tools_test

import (
	"strings"
	"testing"

	"github.com/ccwire/ccwire/internal/object"
	"github.com/ccwire/ccwire/internal/sim/tools"
)

func TestAnInputThatDoesNotFitIsRefusedAsTheCLIDoes(t *testing.T) {
	set := newSet(t, tools.Options{Dir: workDir(t)})
	for _, test := range []struct{ name, tool, input, text string }{
		{"missing", "Task", `{}`, "Agent failed due to the following issues:\nThe required parameter `description` is missing\nThe required parameter `prompt` is missing"},
		{"of another kind", "Skill", `{"skill":5}`, "Skill failed due to the following issue:\nThe parameter `skill` type is expected as `string` but provided as `number`"},
		{"not a whole number", "Read", `{"file_path":"a","offset":1.5}`, "Read failed due to the following issue:\nThe parameter `offset` type is expected as `int` but provided as `number`"},
		{"unknown", "Bash", `{"command":"a","x":1}`, "Bash failed due to the following issue:\nAn unexpected parameter `x` was provided"},
		{"a value that is not one of the list", "NotebookEdit", `{"notebook_path":"a","new_source":"b","edit_mode":"c"}`, `"code": "invalid_value"`},
		{"a query that is too short", "WebSearch", `{"query":"x"}`, `"minimum": 2`},
		{"an address that is none", "WebFetch", `{"url":"x","prompt":"y"}`, `"message": "Invalid URL"`},
		{"one option", "AskUserQuestion", `{"questions":[{"question":"q","options":[1]}]}`, "Too small: expected array to have >=2 items"},
		{"unknown ones are ignored", "Task", `{"description":"a","prompt":"b","x":1}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := set.Check(test.tool, parse(t, test.input).(object.Object))
			switch {
			case test.text == "" && r != nil:
				t.Errorf("refused: %s", r.Text)
			case test.text != "" && (r == nil || !r.Invalid || !strings.Contains(r.Text, test.text)):
				t.Errorf("got %+v, want %q", r, test.text)
			}
		})
	}
}

func TestTextsBecomeTheNumbersAndBooleansThatAToolExpects(t *testing.T) {
	in := parse(t, `{"command":"5","timeout":"300","run_in_background":"true"}`).(object.Object)
	if got := object.Text(tools.Coerce("Bash", in)); got != `{"command":"5","timeout":300,"run_in_background":true}` {
		t.Errorf("got %s", got)
	}
}
