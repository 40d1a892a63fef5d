package sdk

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

func TestCommandsOfTheScenariosFitTheSchema(t *testing.T) {
	schema, err := jsonschema.Compile("../../../schema/conformance/command.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range builtin(t) {
		for _, step := range s.Steps {
			c, ok := step.op.(command)
			if !ok {
				continue
			}
			c.send.ID = 1
			if c.send.Command == "start" {
				c.send.CLI, c.send.Cwd = "/bin/claude", "/"
			}
			text, err := json.Marshal(&c.send)
			if err != nil {
				t.Fatal(err)
			}
			var doc any
			if err := json.Unmarshal(text, &doc); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Errorf("%s, line %d: %v", s.Name, step.Line, err)
			}
		}
	}
}

func builtin(t *testing.T) []*Scenario {
	t.Helper()
	all, err := Load(os.DirFS("../../../conformance/sdk-scenarios"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sources are what a rule can come from.
var sources = regexp.MustCompile(`^(recording \S+ \S+|scenario \S+|issue [\w./-]+#\d+(, [\w./-]+#\d+)*|standard (RFC \d+|JSON-RPC|POSIX|Go's os/exec).*: .+|(sdk|guard) .+)$`)

func TestEachRuleSaysWhereItComesFrom(t *testing.T) {
	areas := map[string]int{}
	for _, s := range builtin(t) {
		areas[s.Area()]++
		if !sources.MatchString(s.From) {
			t.Errorf("%s is from %q: give a recording, an issue, a standard, or what was seen", s.Name, s.From)
		}
		if name, ok := strings.CutPrefix(s.From, "scenario "); ok {
			if _, err := os.Stat(filepath.Join("../../../conformance/scenarios", name+".txtar")); err != nil {
				t.Errorf("%s is from the scenario %s, which does not exist", s.Name, name)
			}
		}
		recording, ok := strings.CutPrefix(s.From, "recording ")
		if !ok {
			continue
		}
		version, name, _ := strings.Cut(recording, " ")
		if _, err := os.Stat(filepath.Join("../../../conformance/recordings", version, name+".ndjson")); err != nil {
			t.Errorf("%s is from the recording %s, which does not exist", s.Name, recording)
		}
	}
	for _, area := range []string{"send", "survive", "answer", "refuse", "surface", "end", "always"} {
		if areas[area] == 0 {
			t.Errorf("no scenario in %s", area)
		}
	}
	if len(areas) != 7 {
		t.Errorf("the areas are %v", areas)
	}
}
