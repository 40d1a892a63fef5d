package tools

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// param is a parameter of a tool.
type param struct {
	name     string
	kind     string // string, number, boolean, array, object; "" for any
	required bool
}

// params parses "name:kind" for parameters; "!" after it makes one required.
func params(list string) (p []param) {
	for _, word := range strings.Fields(list) {
		word, required := strings.CutSuffix(word, "!")
		name, kind, _ := strings.Cut(word, ":")
		p = append(p, param{name, kind, required})
	}
	return p
}

// schemas are the parameters of the tools whose input is checked, in the order in which the CLI
// writes them.
var schemas = map[string][]param{
	"Read":         params("file_path:string! offset:number limit:number pages:string"),
	"Write":        params("file_path:string! content:string!"),
	"Edit":         params("file_path:string! old_string:string! new_string:string! replace_all:boolean"),
	"NotebookEdit": params("notebook_path:string! cell_id:string new_source:string! cell_type:string edit_mode:string"),
	"Glob":         params("pattern:string! path:string"),
	"Grep": params("pattern:string! path:string glob:string output_mode:string -B:number -A:number -C:number context:number -n:boolean " +
		"-i:boolean -o:boolean type:string head_limit:number offset:number multiline:boolean"),
	"Bash":            params("command:string! timeout:number description:string run_in_background:boolean dangerouslyDisableSandbox:boolean"),
	"AskUserQuestion": params("questions:array! answers:object annotations:object metadata:object"),
	"TaskCreate":      params("subject:string! description:string! activeForm:string metadata:object"),
	"CronCreate":      params("cron:string! prompt:string! recurring:boolean durable:boolean"),
}

// validate checks an input against the tool's schema.
func validate(name string, in object.Object) *Refusal {
	schema, ok := schemas[name]
	if !ok {
		return nil
	}
	var told []string
	var issues []any
	for _, p := range schema {
		v, there := in.Lookup(p.name)
		switch {
		case !there && p.required:
			told = append(told, fmt.Sprintf("The required parameter `%s` is missing", p.name))
			issues = append(issues, wrongKind(p, "undefined"))
		case there && p.kind != "" && kind(v) != p.kind:
			told = append(told, fmt.Sprintf("The parameter `%s` type is expected as `%s` but provided as `%s`", p.name, p.kind, kind(v)))
			issues = append(issues, wrongKind(p, kind(v)))
		}
	}
	for _, m := range in {
		if !slices.ContainsFunc(schema, func(p param) bool { return p.name == m.Name }) {
			told = append(told, fmt.Sprintf("An unexpected parameter `%s` was provided", m.Name))
			issues = append(issues, object.Of("code", "unrecognized_keys", "keys", []any{m.Name}, "path", []any{},
				"message", fmt.Sprintf("Unrecognized key: %s", object.Text(m.Name))))
		}
	}
	if name == "AskUserQuestion" && len(issues) == 0 && len(in.List("questions")) == 0 {
		issues = append(issues, object.Of("origin", "array", "code", "too_small", "minimum", 1, "inclusive", true,
			"path", []any{"questions"}, "message", "Too small: expected array to have >=1 items"))
		text := "InputValidationError: " + indent(issues, "  ", "")
		return &Refusal{Text: text, Use: text}
	}
	if len(issues) == 0 {
		return nil
	}
	noun := "issue"
	if len(issues) > 1 {
		noun = "issues"
	}
	return &Refusal{
		Text: fmt.Sprintf("InputValidationError: %s failed due to the following %s:\n%s", name, noun, strings.Join(told, "\n")),
		Use:  "InputValidationError: " + indent(issues, "  ", ""),
	}
}

func wrongKind(p param, is string) object.Object {
	return object.Of("expected", p.kind, "code", "invalid_type", "path", []any{p.name},
		"message", fmt.Sprintf("Invalid input: expected %s, received %s", p.kind, is))
}

func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64, int:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// Indent writes a value as the CLI does in files that people read.
func Indent(v any) string { return indent(v, "  ", "") }

// indent writes a value over several lines, as JSON.stringify does.
func indent(v any, step, margin string) string {
	inner := margin + step
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return "[]"
		}
		list := make([]string, len(v))
		for i := range v {
			list[i] = inner + indent(v[i], step, inner)
		}
		return "[\n" + strings.Join(list, ",\n") + "\n" + margin + "]"
	case object.Object:
		if len(v) == 0 {
			return "{}"
		}
		list := make([]string, len(v))
		for i := range v {
			list[i] = inner + object.Text(v[i].Name) + ": " + indent(v[i].Value, step, inner)
		}
		return "{\n" + strings.Join(list, ",\n") + "\n" + margin + "}"
	}
	return object.Text(v)
}

// Shown returns an input as the assistant line of the CLI has it.
func Shown(name string, in object.Object) object.Object {
	if name != "Edit" {
		return in
	}
	all := in.Bool("replace_all")
	return append(object.Of("replace_all", all), in.Without("replace_all")...)
}

// Observed returns an input as hooks and asks have it: paths are absolute, defaults are filled in,
// members are in the order of the schema.
func Observed(name string, in object.Object, dir string) object.Object {
	out := ordered(name, in)
	switch name {
	case "Read", "Write", "Edit":
		out = absolutely(out, "file_path", dir)
		if name == "Edit" && !out.Has("replace_all") {
			out = out.With("replace_all", false)
		}
	case "NotebookEdit":
		out = absolutely(out, "notebook_path", dir)
	case "ToolSearch":
		if !out.Has("max_results") {
			out = out.With("max_results", 5)
		}
	case "ExitPlanMode":
		out = out.Without("plan")
	case "AskUserQuestion":
		out = out.With("questions", questions(out.List("questions")))
	}
	return out
}

func ordered(name string, in object.Object) object.Object {
	out := make(object.Object, 0, len(in))
	for _, p := range schemas[name] {
		if v, ok := in.Lookup(p.name); ok {
			out = append(out, object.Member{Name: p.name, Value: v})
		}
	}
	for _, m := range in {
		if !out.Has(m.Name) {
			out = append(out, m)
		}
	}
	return out
}

func absolutely(in object.Object, member, dir string) object.Object {
	if path := in.Text(member); path != "" && !filepath.IsAbs(path) {
		return in.With(member, filepath.Join(dir, path))
	}
	return in
}

// questions returns the questions with their members in order.
func questions(list []any) []any {
	out := make([]any, len(list))
	for i, q := range list {
		o, ok := q.(object.Object)
		if !ok {
			out[i] = q
			continue
		}
		sorted := object.Object{}
		for _, name := range []string{"question", "header", "options"} {
			if v, ok := o.Lookup(name); ok {
				sorted.Set(name, v)
			}
		}
		sorted.Set("multiSelect", o.Bool("multiSelect"))
		for _, m := range o {
			sorted.Set(m.Name, m.Value)
		}
		out[i] = sorted
	}
	return out
}
