package fault

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTheKindsAreThoseOfTheSchemas compares the kinds of lines with the files of the schemas.
func TestTheKindsAreThoseOfTheSchemas(t *testing.T) {
	want := map[string][]string{
		"line": nil, "control_request": requests(t, "cli-to-sdk"), "control_response": requests(t, "sdk-to-cli"), "control_cancel_request": nil,
		"keep_alive": nil, "queued_notification": nil, "session_notice": nil,
	}
	for _, name := range files(t, "message") {
		kind, sub, _ := strings.Cut(name, ".")
		if want[kind] == nil {
			want[kind] = nil
		}
		if sub != "" {
			want[kind] = append(want[kind], sub)
		}
	}
	// The schema of results that are not a success names none of their subtypes.
	want["result"] = []string{"success", "error_during_execution", "error_max_turns", "error_max_budget_usd", "error_max_structured_output_retries"}
	got := map[string][]string{}
	for kind, seconds := range written {
		got[kind] = nil
		if seconds != "" {
			got[kind] = strings.Fields(seconds)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the CLI writes: -schemas +kinds\n%s", diff)
	}
	if diff := cmp.Diff(want["control_response"], strings.Fields(read["control_request"])); diff != "" {
		t.Errorf("what the SDK asks: -schemas +kinds\n%s", diff)
	}
}

// files returns the names of the schemas in a folder, in their order.
func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join("../../../schema", folder, "*.json"))
	if err != nil || len(list) == 0 {
		t.Fatal("no schemas", err)
	}
	for _, file := range list {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".json"))
	}
	slices.Sort(names)
	return names
}

// requests returns the subtypes of the requests that one side makes.
func requests(t *testing.T, direction string) (list []string) {
	t.Helper()
	for _, name := range files(t, "control") {
		data, err := os.ReadFile(filepath.Join("../../../schema/control", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			Defs struct {
				Request struct {
					Direction string `json:"x-direction"`
				}
			} `json:"$defs"`
		}
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		if d := s.Defs.Request.Direction; d == direction || d == "both" {
			list = append(list, name)
		}
	}
	return list
}
