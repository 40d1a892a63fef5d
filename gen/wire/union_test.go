package wire_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/schema"
)

// TestEveryArmOfAUnionHasAType counts the arms; that each is one is checked by the compiler.
func TestEveryArmOfAUnionHasAType(t *testing.T) {
	for name, arms := range wire.Unions {
		union, ok := schema.Default().Union(schema.Default().Lookup(name).Node)
		if !ok {
			t.Errorf("%s is no union", name)
			continue
		}
		want := map[string]bool{}
		for _, arm := range union.Arms {
			if slices.ContainsFunc(wire.Definitions, func(d wire.Definition) bool { return d.Name == arm.Definition.Name() }) {
				want[arm.Definition.Name()] = true
			}
		}
		if len(arms) != len(want)+1 {
			t.Errorf("%s has %d arms in Go, and %d and the unknown one in the schema", name, len(arms), len(want))
		}
		unknown := reflect.TypeOf(arms[len(arms)-1]).Elem()
		if !strings.HasPrefix(unknown.Name(), "Unknown") {
			t.Errorf("%s: the last arm is %s", name, unknown)
		}
		if _, ok := unknown.FieldByName("Raw"); !ok {
			t.Errorf("%s: %s has no Raw", name, unknown)
		}
	}
}

func TestEveryUnionOfTheSchemasIsAnInterface(t *testing.T) {
	for _, d := range schema.Default().Definitions() {
		_, isUnion := schema.Default().Union(d.Node)
		if isUnion && d.Ref == "" && !slices.Contains(notGenerated, d.Name()) && wire.Unions[d.Name()] == nil {
			t.Errorf("%s has no interface", d.Name())
		}
	}
}

// enums returns the values of the constants in the generated files, by type.
func enums(t *testing.T) map[string][]string {
	t.Helper()
	names, err := filepath.Glob("*_gen.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("no generated files: %v", err)
	}
	out := map[string][]string{}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Type == nil || len(spec.Values) != 1 {
				return true
			}
			name, ok := spec.Type.(*ast.Ident)
			value, ok2 := spec.Values[0].(*ast.BasicLit)
			if ok && ok2 && value.Kind == token.STRING {
				text, err := strconv.Unquote(value.Value)
				if err != nil {
					t.Fatal(err)
				}
				out[name.Name] = append(out[name.Name], text)
			}
			return true
		})
	}
	return out
}

func TestEveryValueOfAnOpenEnumHasAConstant(t *testing.T) {
	var have []string
	for _, values := range enums(t) {
		have = append(have, strings.Join(values, "|"))
	}
	count := 0
	var visit func(n *schema.Node)
	visit = func(n *schema.Node) {
		if n == nil || n.Legacy() {
			return
		}
		if n.XEnum != nil {
			count++
			if !slices.Contains(have, strings.Join(n.XEnum, "|")) {
				t.Errorf("%s has no constants for %q", n.Location(), n.XEnum)
			}
		}
		for i := range n.Properties {
			visit(n.Properties[i].Node)
		}
		visit(n.Items)
		visit(n.AdditionalProperties)
		for _, arm := range n.OneOf {
			visit(arm)
		}
	}
	for _, d := range schema.Default().Definitions() {
		visit(d.Node)
	}
	if count < 100 {
		t.Errorf("%d enums", count)
	}
}

func TestKnownTellsTheValuesOfTheSchema(t *testing.T) {
	if !wire.PermissionModePlan.Known() || wire.PermissionMode("new").Known() {
		t.Error("Known is wrong")
	}
}

// TestSwitchesAreExhaustive shows the type switch that the package is made for.
func TestSwitchesAreExhaustive(t *testing.T) {
	describe := func(line string) string {
		frame, err := wire.Decode([]byte(line))
		if err != nil {
			return err.Error()
		}
		switch f := frame.(type) {
		case *wire.ControlRequest:
			switch r := f.Request.(type) {
			case *wire.CanUseToolRequest:
				return "may I use " + r.ToolName
			case *wire.UnknownRequest:
				return "unknown request " + r.Subtype()
			}
		case *wire.StreamEvent:
			switch e := f.Event.(type) {
			case *wire.ContentBlockDeltaEvent:
				if d, ok := e.Delta.(*wire.TextDelta); ok {
					return "text " + d.Text
				}
			case *wire.UnknownAPIEvent:
				return "unknown event " + e.Type()
			}
		case *wire.UnknownFrame:
			return "unknown frame " + f.Type() + f.Subtype()
		}
		return "something else"
	}
	got := []string{
		describe(canUse + `}}`),
		describe(`{"type":"control_request","request_id":"r","request":{"subtype":"new"}}`),
		describe(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}},"session_id":"s","parent_tool_use_id":null,"uuid":"u"}`),
		describe(`{"type":"stream_event","event":{"type":"new"},"session_id":"s","parent_tool_use_id":null,"uuid":"u"}`),
		describe(`{"type":"new"}`),
	}
	want := []string{"may I use Bash", "unknown request new", "text hi", "unknown event new", "unknown frame new"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
