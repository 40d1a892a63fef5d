package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ccwire/ccwire/codec"
	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/schema"
)

// exported calls f for every exported declaration of the package.
func exported(t testing.TB, f func(file string, d ast.Decl)) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(file)
		for _, d := range file.Decls {
			f(name, d)
		}
	}
}

func TestNothingExportedNeedsTheRunTimePackage(t *testing.T) {
	exported(t, func(file string, d ast.Decl) {
		if fn, ok := d.(*ast.FuncDecl); ok {
			d = &ast.FuncDecl{Recv: fn.Recv, Name: fn.Name, Type: fn.Type} // the body may
		}
		if g, ok := d.(*ast.GenDecl); ok && (g.Tok == token.VAR || g.Tok == token.IMPORT) {
			return
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && (x.Name == "run" || x.Name == "jsontext") {
					t.Errorf("%s: an exported declaration has %s.%s", file, x.Name, s.Sel.Name)
				}
			}
			return true
		})
	})
}

// TestFunctionsAreForPeople lists every exported function that is not a method: a new one needs a
// reader.
func TestFunctionsAreForPeople(t *testing.T) {
	want := []string{"Append", "Decode", "DecodeAnswer", "DecodeFrame", "DecodeToolInput", "DecodeToolResult", "Dispatch", "HookEvents", "Null", "Prompt", "Ptr", "SessionID", "Some", "SomeOrNull", "Unreadable", "Value"}
	for name := range wire.Unions {
		if name != "envelope/frame.json" {
			want = append(want, "Decode"+unionName(t, name))
		}
	}
	var got []string
	exported(t, func(_ string, d ast.Decl) {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
			got = append(got, fn.Name.Name)
		}
	})
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// unionName returns the Go name of a union, by its unknown arm.
func unionName(t testing.TB, definition string) string {
	t.Helper()
	arms := wire.Unions[definition]
	return strings.TrimPrefix(typeName(arms[len(arms)-1]), "Unknown")
}

func TestTypesAndMachineryAreInFilesOfTheirOwn(t *testing.T) {
	exported(t, func(file string, d ast.Decl) {
		_, isFunc := d.(*ast.FuncDecl)
		g, _ := d.(*ast.GenDecl)
		isType := g != nil && (g.Tok == token.TYPE || g.Tok == token.CONST)
		switch {
		case strings.HasSuffix(file, "_codec_gen.go") && isType:
			t.Errorf("%s declares a type or a constant", file)
		case strings.HasSuffix(file, "_gen.go") && !strings.HasSuffix(file, "_codec_gen.go") && !strings.HasSuffix(file, "call_gen.go") && isFunc:
			t.Errorf("%s has a function", file)
		}
	})
}

// eachExample calls f with the decoded examples of every schema that has a Go type.
func eachExample(t *testing.T, f func(definition string, example []byte, decoded *wire.Decoded)) {
	t.Helper()
	seen := 0
	for _, d := range wire.Definitions {
		for _, example := range schema.Default().Lookup(d.Name).Examples {
			if decoded, err := d.Decode(example, nil); err == nil {
				f(d.Name, example, decoded)
				seen++
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d examples", seen)
	}
}

// arm returns a value as an arm of its union: a pointer.
func arm(v any) any {
	if reflect.TypeOf(v).Kind() != reflect.Struct {
		return v
	}
	p := reflect.New(reflect.TypeOf(v))
	p.Elem().Set(reflect.ValueOf(v))
	return p.Interface()
}

// TestEncodingJSONWritesValuesAndPointersAlike covers every type with the examples of its schema.
func TestEncodingJSONWritesValuesAndPointersAlike(t *testing.T) {
	eachExample(t, func(definition string, _ []byte, decoded *wire.Decoded) {
		text, err := decoded.Encode()
		if err != nil {
			t.Fatalf("%s: %v", definition, err)
		}
		var want any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		for _, v := range []any{decoded.Value, arm(decoded.Value)} {
			var got struct{ V any }
			text, err := json.Marshal(struct{ V any }{v})
			if err == nil {
				err = json.Unmarshal(text, &got)
			}
			if diff := cmp.Diff(want, got.V); err != nil || diff != "" {
				t.Errorf("%s as %T: %v %s", definition, v, err, diff)
			}
		}
	})
}

func TestEveryHookEventHasAConstant(t *testing.T) {
	constants := map[string]string{}
	exported(t, func(_ string, d ast.Decl) {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			return
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			if strings.HasPrefix(v.Names[0].Name, "HookEvent") && v.Type == nil {
				constants[strings.Trim(v.Values[0].(*ast.BasicLit).Value, `"`)] = v.Names[0].Name
			}
		}
	})
	for _, arm := range wire.Unions["hook/input.json"] {
		input := arm.(wire.HookInput)
		if _, unknown := input.(*wire.UnknownHookInput); unknown {
			continue
		}
		if event := input.HookEventName(); !strings.EqualFold(constants[event], "HookEvent"+event) {
			t.Errorf("%s has the constant %q", event, constants[event])
		}
		if !slices.Contains(wire.HookEvents(), input.HookEventName()) {
			t.Errorf("HookEvents does not have %s", input.HookEventName())
		}
	}
	if wire.HookEventPreToolUse != "PreToolUse" {
		t.Errorf("got %q", wire.HookEventPreToolUse)
	}
}

// TestTypesKnowTheirTag compares the methods with what is on the wire.
func TestTypesKnowTheirTag(t *testing.T) {
	seen := map[string]int{}
	eachExample(t, func(definition string, _ []byte, decoded *wire.Decoded) {
		text, err := decoded.Encode()
		if err != nil {
			t.Fatal(err)
		}
		for tag, got := range tagsOf(arm(decoded.Value)) {
			seen[tag]++
			if want, _ := codec.Raw(text).Find("/" + tag).Text(); got != want {
				t.Errorf("%s: %s is %q, want %q", definition, tag, got, want)
			}
		}
	})
	for _, tag := range []string{"type", "subtype", "hook_event_name", "behavior"} {
		if seen[tag] < 3 {
			t.Errorf("%d types with %s", seen[tag], tag)
		}
	}
	unknown := &wire.UnknownFrame{Raw: wire.Raw(`{"subtype":"b","type":"a","session_id":"s"}`)}
	if unknown.Type() != "a" || unknown.Subtype() != "b" || wire.SessionID(unknown) != "s" {
		t.Errorf("got %q, %q, %q", unknown.Type(), unknown.Subtype(), wire.SessionID(unknown))
	}
}

func tagsOf(v any) map[string]string {
	tags := map[string]string{}
	switch v := v.(type) {
	case wire.Frame:
		tags["type"] = v.Type()
	case wire.Request:
		tags["subtype"] = v.Subtype()
	case wire.HookInput:
		tags["hook_event_name"] = v.HookEventName()
	case wire.PermissionResult:
		tags["behavior"] = v.Behavior()
	}
	return tags
}

func TestSessionIDIsThatOfTheLine(t *testing.T) {
	const line = `{"type":"keep_alive"}`
	frame, err := wire.Decode([]byte(line))
	if err != nil || wire.SessionID(frame) != "" {
		t.Errorf("got %q, %v", wire.SessionID(frame), err)
	}
	seen := 0
	eachExample(t, func(definition string, example []byte, decoded *wire.Decoded) {
		switch v := arm(decoded.Value).(type) {
		case wire.Frame, wire.HookInput:
			seen++
			want, _ := codec.Raw(example).Find("/session_id").Text()
			if got := wire.SessionID(v.(wire.Appender)); got != want {
				t.Errorf("%s: %q, want %q", definition, got, want)
			}
		}
	})
	if seen < 50 {
		t.Errorf("only %d frames and inputs", seen)
	}
}

// onlyHooks takes one request and leaves the others to the base.
type onlyHooks struct{ wire.BaseHandler }

func (onlyHooks) HookCallback(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) {
	return &wire.HookOutput{Continue: wire.Ptr(true)}, nil
}

func TestAHandlerNeedsOnlyTheMethodsThatItCaresFor(t *testing.T) {
	answer, err := wire.Dispatch(t.Context(), onlyHooks{}, &wire.HookCallbackRequest{})
	if err != nil || answer == nil {
		t.Errorf("got %v, %v", answer, err)
	}
	for _, r := range []wire.Request{&wire.CanUseToolRequest{}, &wire.MCPMessageRequest{}, &wire.ElicitationRequest{}, &wire.InterruptRequest{}, &wire.UnknownRequest{}} {
		if answer, err := wire.Dispatch(t.Context(), onlyHooks{}, r); !errors.Is(err, wire.ErrNotHandled) || answer != nil {
			t.Errorf("%T: %v, %v", r, answer, err)
		}
	}
}

// nothing returns nil without an error.
type nothing struct{ wire.BaseHandler }

func (nothing) CanUseTool(context.Context, *wire.CanUseToolRequest) (wire.PermissionResult, error) {
	return nil, nil
}

func (nothing) HookCallback(context.Context, *wire.HookCallbackRequest) (*wire.HookOutput, error) {
	return nil, nil
}

func TestDispatchNeverReturnsSuccessWithoutAnAnswer(t *testing.T) {
	for _, r := range []wire.Request{&wire.CanUseToolRequest{}, &wire.HookCallbackRequest{}} {
		if answer, err := wire.Dispatch(t.Context(), nothing{}, r); !errors.Is(err, wire.ErrNilAnswer) || answer != nil {
			t.Errorf("%T: %v, %v", r, answer, err)
		}
	}
}

// typeName returns the name of the type that a pointer points to.
func typeName(v any) string { return reflect.TypeOf(v).Elem().Name() }

func TestDecodeAnswerReadsTheBodyOfEverySubtype(t *testing.T) {
	for _, d := range schema.Default().Definitions() {
		subtype, ok := strings.CutPrefix(strings.TrimSuffix(d.File, ".json"), "control/")
		if !ok || d.Pointer != "/$defs/Response" {
			continue
		}
		for _, text := range d.Examples {
			answer, err := wire.DecodeAnswer(subtype, text, strict())
			if err != nil || answer == nil {
				t.Errorf("%s: %v, %v: %s", subtype, answer, err, text)
				continue
			}
			if out, err := answer.AppendJSON(nil); err != nil || len(out) == 0 {
				t.Errorf("%s: it does not encode: %v", subtype, err)
			}
		}
		for _, r := range d.Rejects {
			if answer, err := wire.DecodeAnswer(subtype, r.Value, strict()); err == nil || answer != nil {
				t.Errorf("%s: %v, %v for a broken body: %s", subtype, answer, err, r.Value)
			}
		}
	}
	for _, subtype := range []string{"end_session", "no_such_thing"} {
		if answer, err := wire.DecodeAnswer(subtype, []byte(`{"x":1}`), nil); answer != nil || err != nil {
			t.Errorf("%s: %v, %v, want neither", subtype, answer, err)
		}
	}
}
