package generator

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/schema"
)

// subsets are those that only has generated, by their areas.
var subsets = map[string]map[string][]byte{}

// only generates a subset, once for all tests, from schemas that are read once.
func only(t *testing.T, areas ...string) map[string][]byte {
	t.Helper()
	key := strings.Join(areas, ",")
	if subsets[key] == nil {
		all, err := loaded()
		if err != nil {
			t.Fatal(err)
		}
		in := *all
		in.choose(Choice{Names: areas})
		if subsets[key], err = generateFrom(&in); err != nil {
			t.Fatal(err)
		}
	}
	return subsets[key]
}

func TestASubsetHasToolsOnlyIfItNamesThem(t *testing.T) {
	areas := Areas(os.DirFS(schemaDir))
	if testing.Short() {
		areas = []string{"hook", toolArea}
	}
	for _, area := range areas {
		files := only(t, area)
		var all []byte
		for name, text := range files {
			if !strings.HasSuffix(name, "_test.go") {
				all = append(all, text...)
			}
		}
		for _, word := range []string{"type BashInput struct", "TypedInput() ToolInput"} {
			if strings.Contains(string(all), word) != (area == toolArea) {
				t.Errorf("%s: %q is there, or missing", area, word)
			}
		}
	}
}

func TestAllAreasTogetherAreTheWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("it generates everything twice; make test-all runs it")
	}
	areas := Areas(os.DirFS(schemaDir))
	want := []string{"content", "control", "envelope", "hook", "host", "mcp", "message", "permission", "tool"}
	if diff := cmp.Diff(want, areas); diff != "" {
		t.Errorf("areas (-want +got):\n%s", diff)
	}
	whole := generate(t)
	got, err := GenerateOnly(os.DirFS(schemaDir), Choice{Names: areas})
	if err != nil {
		t.Fatal(err)
	}
	for name := range whole {
		if string(got[name]) != string(whole[name]) {
			t.Errorf("%s is not that of the whole", name)
		}
	}
	if len(got) != len(whole) {
		t.Errorf("%d files, want %d", len(got), len(whole))
	}
}

var typeName = regexp.MustCompile(`(?m)^type (\w+) (struct|interface) \{$`)

// typesOf lists the types of a subset.
func typesOf(files map[string][]byte) []string {
	var names []string
	for name, text := range files {
		if strings.HasSuffix(name, "_gen.go") {
			for _, m := range typeName.FindAllSubmatch(text, -1) {
				names = append(names, string(m[1]))
			}
		}
	}
	return names
}

func TestASubsetHasWhatCarriesItsAreasAndWhatTheyNeed(t *testing.T) {
	tests := []struct{ area, has, lacks string }{
		{"envelope", "Frame UnknownFrame ControlRequest Request ControlResponse KeepAlive", "InterruptRequest Assistant HookInput"},
		{"control", "InterruptRequest CanUseToolRequest PermissionAllow HookInput MCPMessage", "Assistant StreamEvent TextBlock"},
		{"hook", "HookInput PreToolUseInput HookCallbackRequest InitializeRequest InitializeResponse", "InterruptRequest CanUseToolRequest Assistant"},
		{"permission", "PermissionAllow AddRulesUpdate CanUseToolRequest", "HookInput HookCallbackRequest Assistant"},
		{"mcp", "MCPMessage MCPMessageRequest", "MCPStatusRequest Assistant"},
		{"message", "Assistant SystemInit ResultSuccess StreamEvent TextBlock TextDelta AssistantDelta", "InterruptRequest HookInput"},
		{"content", "TextBlock TextDelta StreamEvent Assistant User AssistantDelta", "SystemInit ResultSuccess InterruptRequest"},
	}
	for _, tt := range tests {
		t.Run(tt.area, func(t *testing.T) {
			if testing.Short() && tt.area != "control" {
				t.Skip("one area is enough here; make test-all runs them all")
			}
			have := typesOf(only(t, tt.area))
			for _, name := range strings.Fields(tt.has) {
				if !slices.Contains(have, name) {
					t.Errorf("it lacks %s", name)
				}
			}
			for _, name := range strings.Fields(tt.lacks) {
				if slices.Contains(have, name) {
					t.Errorf("it has %s", name)
				}
			}
		})
	}
}

func TestASubsetHasTheRevisionAndTheOrderOfTheWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("it generates two areas twice; make test-all runs it")
	}
	first, again := only(t, "hook", "control"), only(t, "control", "hook")
	if diff := cmp.Diff(slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(again))); diff != "" {
		t.Error(diff)
	}
	for name, text := range first {
		if string(text) != string(again[name]) {
			t.Errorf("%s depends on the order of the areas", name)
		}
		if !strings.Contains(string(text), "// Schema revision "+schema.Default().Revision()+".") {
			t.Errorf("%s does not name the revision", name)
		}
	}
}

func TestAnUnknownAreaIsAnError(t *testing.T) {
	for _, area := range []string{"hooks", "shared", "legacy", ""} {
		if _, err := GenerateOnly(os.DirFS(schemaDir), Choice{Names: []string{area}}); err == nil {
			t.Errorf("%q is taken", area)
		}
	}
}
