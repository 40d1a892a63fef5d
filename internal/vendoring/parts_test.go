package vendoring

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ccwire/ccwire/gen/wire"
	"github.com/ccwire/ccwire/internal/recording/corpus"
)

// losslessTest is a test of a subset over all recorded lines.
const losslessTest = `package PACKAGE

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

func TestNothingOfARecordedLineIsLost(t *testing.T) {
	text, err := os.ReadFile("../lines.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	typed, lines := 0, bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	for _, line := range lines {
		legacy := false
		frame, err := DecodeFrame(line, &Options{Report: func(d Deviation) { legacy = legacy || d.Kind.String() == "legacy shape" }})
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if legacy { // it comes out in its form of today
			continue
		}
		if _, unknown := frame.(*UnknownFrame); !unknown {
			typed++
		}
		out, err := Append(nil, frame)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		var was, is any
		if json.Unmarshal(line, &was) != nil || json.Unmarshal(out, &is) != nil || !reflect.DeepEqual(was, is) {
			t.Errorf("%s comes out as %s", line, out)
		}
	}
	t.Logf("%d of %d lines are typed", typed, len(lines))
	if typed < len(lines)/10 {
		t.Errorf("%d of %d lines are typed", typed, len(lines))
	}
}

func TestTagsAreEssentialInASubsetToo(t *testing.T) {
	for _, line := range []string{"{}", "{\"type\":\"system\"}", "{\"type\":\"system\",\"subtype\":5}", "{\"type\":\"result\"}"} {
		if f, err := Decode([]byte(line)); err == nil {
			t.Errorf("%s is a %T", line, f)
		}
	}
}
`

// recordedLines returns every line that was recorded and can be written again, once.
func recordedLines(t testing.TB) string {
	t.Helper()
	sessions, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var lines strings.Builder
	for _, s := range sessions {
		for _, l := range s.Lines {
			text := string(l.Text)
			if frame, err := wire.Decode(l.Text); err != nil || seen[text] || strings.Contains(text, "\n") {
				continue
			} else if _, err := wire.Append(nil, frame); err != nil { // such as one without an id
				continue
			}
			seen[text] = true
			lines.WriteString(text + "\n")
		}
	}
	if len(seen) < 2000 {
		t.Fatalf("%d recorded lines, want 2000 at least", len(seen))
	}
	return lines.String()
}

func TestNothingOfARecordedLineIsLostInAnySubset(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds subsets and gives them all recordings; make test-all runs it")
	}
	root := scratchModule(t)
	writeTestFile(t, filepath.Join(root, "lines.ndjson"), recordedLines(t))
	for name, o := range map[string]Options{
		"core":   {Only: []string{"envelope/frame"}},
		"sdk":    {Only: []string{SDK}, Recorded: true},
		"mixed":  {Only: []string{"control/initialize", "control/interrupt", "hook", "permission", "message/*"}},
		"blocks": {Only: []string{"message/assistant", "content/block/text", "tool/Bash"}},
		"arms":   {Only: []string{"message/result/success", "content/delta/text_delta", "hook/Stop/Input"}},
		"less":   {Only: []string{"-host", "-tool", "-message/user", "-shared/origin", "-content/block/t*"}, Recorded: true},
	} {
		o.Dir = filepath.Join(root, name)
		copyOf(t, o)
		writeTestFile(t, filepath.Join(o.Dir, "lossless_test.go"), strings.Replace(losslessTest, "PACKAGE", name, 1))
	}
	goIn(t, "local", root, "vet", "./...")
	goIn(t, "local", root, "test", "./...")
}

// typesIn returns the exported types of a copy.
func typesIn(t testing.TB, c *Copy) map[string]bool {
	t.Helper()
	types := map[string]bool{}
	for name, text := range c.files {
		if filepath.Ext(name) != ".go" || strings.Contains(name, "/") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					types[s.(*ast.TypeSpec).Name.Name] = true
				}
			}
		}
	}
	return types
}

func TestASubsetHasWhatIsNamedAndWhatThatNeeds(t *testing.T) {
	tests := []struct {
		name       string
		only       string
		recorded   bool
		has, lacks string
	}{
		{"a request with its answer", "control/initialize", false,
			"InitializeRequest InitializeResponse HookMatcher SlashCommand", "InterruptRequest HookInput HookCallbackRequest Assistant BashInput"},
		{"a line", "message/assistant", false, "Assistant AssistantMessage TextBlock Usage", "User StreamEvent InterruptRequest"},
		{"arms instead of all", "message/assistant,content/block/text", false, "Assistant TextBlock UnknownContentBlock", "ThinkingBlock User"},
		{"a hook event", "control/hook_callback,hook/PreToolUse", false,
			"HookCallbackRequest HookInput PreToolUseInput PreToolUseOutput UnknownHookInput", "PostToolUseInput ToolInput"},
		{"half of a hook event", "hook/PreToolUse/Input", false, "PreToolUseInput", "PreToolUseOutput HookCallbackRequest"},
		{"a tool", "control/can_use_tool,tool/Bash", false, "BashInput ToolInput UnknownToolInput CanUseToolRequest PermissionDeny", "ReadInput"},
		{"a tool without its request", "tool/Bash", false, "BashInput ToolInput", "CanUseToolRequest PermissionAllow"},
		{"an area with what carries it", "permission", false, "PermissionAllow CanUseToolRequest", "HookInput Assistant"},
		{"an area alone", "permission/*", false, "PermissionAllow", "CanUseToolRequest"},
		{"all messages", "message/*", false, "Assistant SystemInit SystemStatus ResultError TextDelta", "InterruptRequest"},
		{"a subtype", "message/system/init", false, "SystemInit", "SystemStatus Assistant"},
		{"a pattern", "message/system/task_*", false, "SystemTaskStarted", "SystemInit"},
		{"all but some", "message,-message/system,-shared/origin", false, "Assistant ResultSuccess User", "SystemInit OriginHuman"},
		{"what was recorded", "message/assistant", true, "Assistant AssistantContextUsage", "AssistantUsageReport"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && tt.only != "control/can_use_tool,tool/Bash" {
				t.Skip("one subset is enough here; make test-all runs them all")
			}
			c, err := New(Options{Dir: filepath.Join(scratchModule(t), "wire"), Only: strings.Split(tt.only, ","), Recorded: tt.recorded, Sources: whole(), Info: info})
			if err != nil {
				t.Fatal(err)
			}
			have := typesIn(t, c)
			for _, name := range strings.Fields(tt.has) {
				if !have[name] {
					t.Errorf("it lacks %s", name)
				}
			}
			for _, name := range strings.Fields(tt.lacks) {
				if have[name] {
					t.Errorf("it has %s", name)
				}
			}
		})
	}
}

func TestUnknownTypesSuggestNearOnes(t *testing.T) {
	for only, want := range map[string]string{
		"control/initialise":   `there is no type "control/initialise": did you mean control/initialize?`,
		"hook/PreTooluse":      `there is no type "hook/PreTooluse": did you mean hook/PreToolUse`,
		"-shared/usages":       `there is no type "shared/usages": did you mean shared/usage?`,
		"message/system/innit": `there is no type "message/system/innit": did you mean message/system/init`,
		"control/telemetry":    `there is no type "control/telemetry": protogen vendor --names lists them`,
		"PreToolUse":           `there is no area "PreToolUse"; did you mean hook/PreToolUse?`,
		"controls/initialize":  `there is no area "controls"; did you mean control?`,
		"legacy/user_flat":     `there is no area "legacy"`,
	} {
		_, err := New(Options{Dir: scratchModule(t), Only: []string{only}, Sources: small(), Info: info})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", only, err, want)
		}
	}
}

// user is a program that uses some names of a copy.
const user = `package main

import (
	"context"
	"fmt"

	cc "example.com/sdk/internal/wire"
)

type handler struct{ cc.BaseHandler }

func (handler) CanUseTool(_ context.Context, r *cc.CanUseToolRequest) (cc.PermissionResult, error) {
	if in, ok := r.TypedInput().(*cc.BashInput); ok {
		return r.Deny(in.Command), nil
	}
	return r.Allow(), nil
}

func main() {
	frame, err := cc.Decode(nil)
	if a, ok := frame.(*cc.Assistant); ok {
		for _, b := range a.Message.Content {
			if text, ok := b.(*cc.TextBlock); ok {
				fmt.Println(text.Text, a.IsVirtual)
			}
		}
	}
	fmt.Println(err, cc.PermissionModePlan, cc.HookEventStop, handler{})
}
`

func TestForTakesWhatTheModuleUses(t *testing.T) {
	root := scratchModule(t)
	dir := filepath.Join(root, "internal", "wire")
	writeTestFile(t, filepath.Join(root, "main.go"), user)
	writeTestFile(t, filepath.Join(root, "vendor", "x", "x.go"), "package x\n\nimport \"example.com/sdk/internal/wire\"\n\nvar X wire.GetUsageRequest\n")
	next := func() map[string]bool {
		t.Helper()
		c, err := New(Options{Dir: dir, For: root, Recorded: true, Sources: whole(), Info: info})
		if err != nil {
			t.Fatal(err)
		}
		write(t, c)
		return typesIn(t, c)
	}
	first := next()
	for name, want := range map[string]bool{
		"Assistant": true, "TextBlock": true, "CanUseToolRequest": true, "BashInput": true, "PermissionMode": true, "StopInput": true,
		"ThinkingBlock": false, "User": false, "InterruptRequest": false, "ReadInput": false, "GetUsageRequest": false,
	} {
		if first[name] != want {
			t.Errorf("%s is there: %v", name, first[name])
		}
	}
	if again := next(); len(again) != len(first) {
		t.Errorf("%d types, and %d before: the copy counts itself", len(again), len(first))
	}
	writeTestFile(t, filepath.Join(dir, "mine.go"), "package wire\n\nvar ask InterruptRequest\n")
	writeTestFile(t, filepath.Join(root, "more.go"), "package main\n\nimport \"example.com/sdk/internal/wire\"\n\nvar change wire.SetModelRequest\n")
	if more := next(); !more["SetModelRequest"] || !more["InterruptRequest"] {
		t.Error("what the code uses since is not there")
	}
	if !testing.Short() {
		goIn(t, "local", root, "vet", "-mod=mod", "./...")
	}
}

func TestForRefusesWhatItCannotSee(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"no use", "package main\n", "imports example.com/sdk/wire: write the code"},
		{"dot import", "package main\n\nimport . \"example.com/sdk/wire\"\n", "with a dot: give it a name"},
		{"broken file", "package\n", "main.go:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := scratchModule(t)
			writeTestFile(t, filepath.Join(root, "main.go"), tt.file)
			_, err := New(Options{Dir: filepath.Join(root, "wire"), For: root, Sources: whole(), Info: info})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
	if _, err := New(Options{Dir: scratchModule(t), For: "nowhere", Sources: small(), Info: info}); err == nil || !strings.Contains(err.Error(), "--for nowhere: there is no such folder") {
		t.Errorf("got %v", err)
	}
}

func TestARunWithoutFlagsHasThoseOfTheLast(t *testing.T) {
	root := scratchModule(t)
	dir := filepath.Join(root, "wire")
	o := Options{Dir: dir, Package: "ccproto", Only: []string{"control/interrupt"}, Recorded: true}
	copyOf(t, o)
	o = Options{Dir: dir, Sources: whole(), Info: info}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if changes, err := c.Plan(); err != nil || !changes.None() {
		t.Errorf("got %v, %v", changes, err)
	}
	o.Only = []string{"control/set_model"}
	if c, err = New(o); err != nil || c.Package != "wire" {
		t.Errorf("with a flag, the others are as they are given: package %s, %v", c.Package, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, docFile))
	want := "\n//go:generate go run github.com/ccwire/ccwire/cmd/protogen@v1.2.3 vendor --out . --package ccproto --only control/interrupt --recorded\n"
	if err != nil || !strings.HasSuffix(string(text), want) {
		t.Errorf("%v: doc.go does not end with %s", err, want)
	}
}

// generatedLine is how tools know a generated file.
var generatedLine = regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`)

func TestEveryFileBeginsAsGeneratedOnesDo(t *testing.T) {
	root := scratchModule(t)
	for name, o := range map[string]Options{"whole": {}, "sdk": {Only: []string{SDK}, Recorded: true}, "core": {Only: []string{"envelope/frame"}}} {
		o.Dir, o.Sources, o.Info = filepath.Join(root, name), whole(), info
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		for file, text := range c.files {
			first, _, _ := strings.Cut(string(text), "\n")
			if filepath.Ext(file) == ".go" && !generatedLine.MatchString(first) {
				t.Errorf("%s: %s begins with %q", name, file, first)
			}
		}
	}
}

// TestLintersAreQuietOnTheCopyOfATypicalSDK hides from them that the files are generated.
func TestLintersAreQuietOnTheCopyOfATypicalSDK(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds staticcheck and a copy; make test-all runs it")
	}
	root, dir := sdkCopy(t)
	for name, text := range tree(t, dir) {
		if filepath.Ext(name) == ".go" {
			_, rest, _ := strings.Cut(text, "\n")
			writeTestFile(t, filepath.Join(dir, name), "// Not marked.\n"+rest)
		}
	}
	goIn(t, "local", root, "vet", "./...")
	program, err := exec.Command("go", "tool", "-n", "staticcheck").Output()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(strings.TrimSpace(string(program)), "./...")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOTOOLCHAIN=local")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("staticcheck: %v\n%s", err, out)
	}
}
