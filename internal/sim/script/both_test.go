package script_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ccwire/ccwire/internal/fakeapi"
)

func TestTheFakeAPITakesTheScriptsOfTheSimulatedCLI(t *testing.T) {
	const text = `{
		"turns": [{"text": "One."}], "default": {"text": "More."},
		"tools": {"WebFetch": {"text": "a page"}}, "faults": ["blank"], "tools_anywhere": true, "cli_version": "2.1.290",
		"recorded": {"version": "2.1.325"}, "strict": "prompts", "virtual_time": true
	}`
	name := filepath.Join(t.TempDir(), "script.json")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := fakeapi.LoadScript(name)
	if err != nil || len(s.Turns) != 1 || s.Default == nil {
		t.Errorf("got %+v, %v", s, err)
	}
}
