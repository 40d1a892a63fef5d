package model_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/internal/generator"
	"github.com/ccwire/ccwire/internal/packages/model"
	"github.com/ccwire/ccwire/internal/recording"
	"github.com/ccwire/ccwire/internal/recording/corpus"
	"github.com/ccwire/ccwire/schema"
)

var loaded = sync.OnceValues(func() (*model.Model, error) { return model.New(schema.Default()) })

func load(t *testing.T) *model.Model {
	t.Helper()
	m, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func decode(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTheModelJudgesExamplesAndBrokenInstancesAsTheSchemasDo(t *testing.T) {
	m := load(t)
	for _, d := range schema.Default().Definitions() {
		e := m.Definition(d.Name())
		if e == nil {
			t.Fatalf("the model does not have %s", d.Name())
		}
		for i, text := range d.Examples {
			if !valid(e, decode(t, text)) {
				t.Errorf("%s: example %d is not valid", d.Name(), i)
			}
		}
		for _, r := range d.Rejects {
			if valid(e, decode(t, r.Value)) {
				t.Errorf("%s: %s is valid, though %s", d.Name(), r.Value, r.Why)
			}
		}
	}
}

func TestTheModelJudgesRecordedLinesAsTheSchemasDo(t *testing.T) {
	m := load(t)
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		sessions = sessions[len(sessions)-50:]
	}
	for _, s := range sessions {
		for i := range s.Lines {
			l := &s.Lines[i]
			root, from := m.FromSDK, schema.FromSDK
			if l.Dir == recording.ToSDK {
				root, from = m.FromCLI, schema.FromCLI
			}
			err := schema.Default().Open().ValidateFrame(from, l.Text)
			var broken *codec.Error
			if errors.As(err, &broken) { // not JSON, or past the limits
				continue
			}
			if got := ofType(root, nil, decode(t, l.Text)); got != (err == nil) {
				t.Errorf("%s: the model says %t, the schemas %v", s.At(l), got, err)
			}
		}
	}
}

// arms returns the names of the arms of a union.
func arms(t *model.Type) (names []string) {
	for _, a := range t.Union.Arms {
		names = append(names, a.Type.Name)
	}
	return names
}

func TestTheLinesOfADirectionLeadToItsRequests(t *testing.T) {
	m := load(t)
	for _, row := range []struct {
		name       string
		lines      *model.Type
		has, lacks string
	}{
		{"RequestFromCLI", m.FromCLI, "CanUseToolRequest", "InitializeRequest"},
		{"RequestFromSDK", m.FromSDK, "InitializeRequest", "CanUseToolRequest"},
	} {
		i := slices.IndexFunc(row.lines.Union.Arms, func(a *model.Arm) bool { return slices.Contains(a.Values, "control_request") && !a.Legacy })
		request := row.lines.Union.Arms[i].Type.Struct.Member("request").Value.Type
		if got := arms(request); request.Name != row.name || !slices.Contains(got, row.has) || slices.Contains(got, row.lacks) ||
			!slices.Contains(got, "MCPMessageRequest") || !slices.Contains(got, "UnknownRequest") {
			t.Errorf("the lines lead to %s, with the arms %q", request.Name, got)
		}
		if request.Base != m.Type("Request") {
			t.Errorf("%s does not know what it is made of", request.Name)
		}
	}
}

func TestOnlyRequestsDependOnTheDirection(t *testing.T) {
	var got []string
	for _, typ := range load(t).Types {
		if typ.Base != nil {
			got = append(got, typ.Name)
		}
	}
	want := []string{"ControlRequestFromCLI", "ControlRequestFromSDK", "RequestFromCLI", "RequestFromSDK"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestTypesHaveTheNamesOfTheGoTypes holds the names of all languages together. Go reads unknown
// arms and legacy shapes otherwise, has the arms of lines that are unions beside the others, and no
// names for plain values and for choices between them.
func TestTypesHaveTheNamesOfTheGoTypes(t *testing.T) {
	owners, err := generator.Owners(schema.Files())
	if err != nil {
		t.Fatal(err)
	}
	m := load(t)
	seen := map[string]bool{}
	for _, typ := range m.Types {
		if seen[typ.Name] {
			t.Errorf("two types are called %s", typ.Name)
		}
		seen[typ.Name] = true
		plain := typ.Alias != nil || typ.Inline && typ.Choice != nil && typ.Choice[0].Kind != model.Ref
		flat := typ.Union != nil && strings.HasPrefix(typ.Definition, "message/")
		if typ.Base != nil || typ.Legacy || plain || flat || typ == m.FromCLI || typ == m.FromSDK || strings.HasPrefix(typ.Name, "Unknown") {
			continue
		}
		if owners[typ.Name] == nil {
			t.Errorf("there is no Go type %s (%s)", typ.Name, typ.Definition)
		}
	}
}

func TestRequestsLeadToTheirResponses(t *testing.T) {
	m := load(t)
	i := slices.IndexFunc(m.Requests, func(r *model.Request) bool { return r.Subtype == "can_use_tool" })
	if r := m.Requests[i]; r.Request.Name != "CanUseToolRequest" || r.Response.Type.Name != "PermissionResult" || r.Direction != model.CLI {
		t.Errorf("can_use_tool leads from %s to %s", r.Request.Name, r.Response.Type.Name)
	}
	i = slices.IndexFunc(m.Hooks, func(h *model.Hook) bool { return h.Event == "PreToolUse" })
	if h := m.Hooks[i]; h.Input.Name != "PreToolUseInput" || h.Output.Name != "PreToolUseOutput" {
		t.Errorf("PreToolUse leads from %s to %s", h.Input.Name, h.Output.Name)
	}
	i = slices.IndexFunc(m.Tools, func(tool *model.Tool) bool { return slices.Contains(tool.Names, "Bash") })
	if tool := m.Tools[i]; tool.Input.Type.Name != "BashInput" || tool.Result.Type.Name != "BashResult" {
		t.Errorf("Bash leads from %s to %s", tool.Input.Type.Name, tool.Result.Type.Name)
	}
}
