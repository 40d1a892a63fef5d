package wire_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
)

// view is what a Result says.
type view struct {
	Outcome, Text, Session string
	Failed                 bool
	Turns, Output          int64
	Cost                   float64
	Duration, API          time.Duration
}

func viewOf(r wire.Result) view {
	return view{r.Outcome(), r.Text(), r.Session(), r.Failed(), r.Turns(), r.Tokens().OutputTokens, r.Cost(), r.Duration(), r.APIDuration()}
}

func TestSuccessAndErrorAreReadAlike(t *testing.T) {
	const common = `"duration_ms":1500.5,"duration_api_ms":900,"num_turns":3,"session_id":"s","total_cost_usd":0.25,"usage":{"input_tokens":1,"output_tokens":7}`
	want := view{Session: "s", Turns: 3, Output: 7, Cost: 0.25, Duration: 1500*time.Millisecond + 500*time.Microsecond, API: 900 * time.Millisecond}
	for _, row := range []struct {
		name, line    string
		outcome, text string
		failed        bool
	}{
		{"success", `"subtype":"success","is_error":false,"result":"done"`, "success", "done", false},
		{"error of the API", `"subtype":"success","is_error":true,"result":"no credit"`, "success", "no credit", true},
		{"error", `"subtype":"error_max_turns","is_error":true,"errors":["a","b"]`, "error_max_turns", "a\nb", true},
		{"interrupted", `"subtype":"error_during_execution","is_error":false`, "error_during_execution", "", false},
		{"new subtype", `"subtype":"error_of_a_new_kind","is_error":true`, "error_of_a_new_kind", "", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			frame, err := wire.Decode([]byte(`{"type":"result",` + row.line + `,` + common + `}`))
			if err != nil {
				t.Fatal(err)
			}
			result, ok := frame.(wire.Result)
			if !ok {
				t.Fatalf("%T is not a Result", frame)
			}
			want := want
			want.Outcome, want.Text, want.Failed = row.outcome, row.text, row.failed
			if diff := cmp.Diff(want, viewOf(result)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAResultSaysWhichRequiredMemberItLacks(t *testing.T) {
	for _, subtype := range []string{"success", "error_max_turns"} {
		frame, err := wire.Decode([]byte(`{"type":"result","subtype":"` + subtype + `","total_cost_usd":null,"num_turns":0}`))
		if err != nil {
			t.Fatal(err)
		}
		r := frame.(wire.Result)
		if !r.Lacks("total_cost_usd") || !r.Lacks("usage") || r.Lacks("num_turns") {
			t.Errorf("%s: cost %t, usage %t, turns %t", subtype, r.Lacks("total_cost_usd"), r.Lacks("usage"), r.Lacks("num_turns"))
		}
	}
}

func ExampleResult() {
	line := []byte(`{"type":"result","subtype":"success","is_error":false,"duration_ms":2500,"duration_api_ms":2000,"num_turns":1,` +
		`"result":"It is done.","session_id":"s","total_cost_usd":0.02,"usage":{"input_tokens":10,"output_tokens":5}}`)
	frame, err := wire.Decode(line)
	if err != nil {
		fmt.Println(err)
		return
	}
	if r, ok := frame.(wire.Result); ok {
		fmt.Println(r.Outcome(), r.Text(), r.Duration(), r.Cost(), r.Tokens().OutputTokens)
	}
	// Output:
	// success It is done. 2.5s 0.02 5
}
