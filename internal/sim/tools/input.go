package tools

import (
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/object"
)

// Coerce returns an input in which numbers and booleans that the model has written as texts are
// what the tool expects.
func Coerce(name string, in object.Object) object.Object {
	for _, p := range schemas[name].params {
		text, ok := in.Get(p.name).(string)
		if !ok {
			continue
		}
		switch p.kind {
		case "number", "int":
			if n, err := strconv.ParseFloat(text, 64); err == nil {
				in = in.With(p.name, n)
			}
		case "boolean":
			if text == "true" || text == "false" {
				in = in.With(p.name, text == "true")
			}
		}
	}
	return in
}

// Validate returns why an input does not fit the schema of a tool, nil if it does.
func Validate(name string, in object.Object) *Refusal { return validate(name, in) }

// validate checks an input against the tool's schema.
func validate(name string, in object.Object) *Refusal {
	schema, ok := schemas[name]
	if !ok {
		return nil
	}
	var told, wrong []string
	var issues []any
	for _, p := range schema.params {
		v, there := in.Lookup(p.name)
		is := "undefined"
		if there {
			is = kind(v)
		}
		switch {
		case !there && !p.required:
		case p.values != nil:
			if text, ok := v.(string); !ok || !slices.Contains(p.values, text) {
				issues = append(issues, wrongValue(p))
			}
		case !there:
			told = append(told, fmt.Sprintf("The required parameter `%s` is missing", p.name))
			issues = append(issues, wrongKind(p, is))
		case p.kind == "int" && is == "number":
			if n, _ := v.(float64); n != math.Trunc(n) {
				told = append(told, fmt.Sprintf("The parameter `%s` type is expected as `int` but provided as `number`", p.name))
				issues = append(issues, object.Of("expected", "int", "format", "safeint", "code", "invalid_type", "path", []any{p.name},
					"message", "Invalid input: expected int, received number"))
			}
		case p.kind != "" && is != strings.Replace(p.kind, "int", "number", 1):
			told = append(told, fmt.Sprintf("The parameter `%s` type is expected as `%s` but provided as `%s`", p.name, p.json(), is))
			issues = append(issues, wrongKind(p, is))
		}
	}
	for _, issue := range special(name, in) {
		issues = append(issues, issue)
		if path := issue.List("path"); len(path) == 1 {
			wrong = append(wrong, fmt.Sprintf("The parameter `%v` is invalid: %s", path[0], issue.Text("message")))
		}
	}
	if !schema.open {
		for _, m := range in {
			if !slices.ContainsFunc(schema.params, func(p param) bool { return p.name == m.Name }) {
				told = append(told, fmt.Sprintf("An unexpected parameter `%s` was provided", m.Name))
				issues = append(issues, object.Of("code", "unrecognized_keys", "keys", []any{m.Name}, "path", []any{},
					"message", fmt.Sprintf("Unrecognized key: %s", object.Text(m.Name))))
			}
		}
	}
	if len(issues) == 0 {
		return nil
	}
	use := "InputValidationError: " + indent(issues, "  ", "")
	if len(told) == 0 {
		return &Refusal{Text: use, Use: use, Invalid: true}
	}
	told = append(told, wrong...)
	noun := "issue"
	if len(told) > 1 {
		noun = "issues"
	}
	if name == "Task" {
		name = "Agent"
	}
	return &Refusal{Text: fmt.Sprintf("InputValidationError: %s failed due to the following %s:\n%s", name, noun, strings.Join(told, "\n")), Use: use, Invalid: true}
}

// repeats reports whether two questions have the same text, or two options of one the same label.
func repeats(questions []any) bool {
	twice := func(list []any, name string) bool {
		seen := map[string]bool{}
		return slices.ContainsFunc(list, func(v any) bool {
			o, _ := v.(object.Object)
			text := o.Text(name)
			was := seen[text]
			seen[text] = true
			return was
		})
	}
	return twice(questions, "question") || slices.ContainsFunc(questions, func(v any) bool {
		o, _ := v.(object.Object)
		return twice(o.List("options"), "label")
	})
}

// special are the issues that the schemas of some tools have beside kinds and names.
func special(name string, in object.Object) []object.Object {
	issue := func(pairs ...any) []object.Object { return []object.Object{object.Of(pairs...)} }
	switch name {
	case "AskUserQuestion":
		if list, ok := in.Get("questions").([]any); ok && len(list) == 0 {
			return issue("origin", "array", "code", "too_small", "minimum", 1, "inclusive", true,
				"path", []any{"questions"}, "message", "Too small: expected array to have >=1 items")
		}
		for i, v := range in.List("questions") {
			q, _ := v.(object.Object)
			if options, ok := q.Get("options").([]any); ok && len(options) < 2 {
				return issue("origin", "array", "code", "too_small", "minimum", 2, "inclusive", true,
					"path", []any{"questions", i, "options"}, "message", "Too small: expected array to have >=2 items")
			}
		}
		if repeats(in.List("questions")) {
			return issue("code", "custom", "path", []any{}, "message", "A question may be asked once, and no two options of a question may have the same label")
		}
	case "WebFetch":
		text, ok := in.Get("url").(string)
		if u, err := url.Parse(text); ok && (err != nil || u.Scheme == "") {
			return issue("code", "invalid_format", "format", "url", "path", []any{"url"}, "message", "Invalid URL")
		}
	case "WebSearch":
		if text, ok := in.Get("query").(string); ok && len(text) < 2 {
			return issue("origin", "string", "code", "too_small", "minimum", 2, "inclusive", true,
				"path", []any{"query"}, "message", "Too small: expected string to have >=2 characters")
		}
	case "Monitor":
		if in.Has("command") == in.Has("ws") && in.Has("description") {
			return issue("code", "custom", "path", []any{}, "message", "exactly one of command or ws")
		}
	}
	return nil
}

func wrongKind(p param, is string) object.Object {
	return object.Of("expected", p.json(), "code", "invalid_type", "path", []any{p.name},
		"message", fmt.Sprintf("Invalid input: expected %s, received %s", p.json(), is))
}

func wrongValue(p param) object.Object {
	values, quoted := []any{}, []string{}
	for _, v := range p.values {
		values, quoted = append(values, v), append(quoted, object.Text(v))
	}
	return object.Of("code", "invalid_value", "values", values, "path", []any{p.name},
		"message", "Invalid option: expected one of "+strings.Join(quoted, "|"))
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
	known := Coerce(name, in)
	switch {
	case validate(name, known) != nil:
		return in
	case name == "Edit":
		return append(object.Of("replace_all", known.Bool("replace_all")), known.Without("replace_all")...)
	case name == "Bash":
		return ordered(name, known)
	case name == "Read" && in.Has("limit"): // is left as it was written
		return known.With("limit", in.Get("limit"))
	}
	return known
}

// Observed returns an input as hooks and asks have it: paths are absolute, defaults are filled in,
// members are in the order of the schema.
func Observed(name string, in object.Object, dir string) object.Object {
	out := ordered(name, in)
	if schemas[name].open {
		out = slices.DeleteFunc(out, func(m object.Member) bool {
			return !slices.ContainsFunc(schemas[name].params, func(p param) bool { return p.name == m.Name })
		})
	}
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

// Known returns an input without the members that the tool does not have.
func Known(name string, in object.Object) object.Object {
	schema, ok := schemas[name]
	if !ok {
		return in
	}
	return slices.DeleteFunc(slices.Clone(in), func(m object.Member) bool {
		return !slices.ContainsFunc(schema.params, func(p param) bool { return p.name == m.Name })
	})
}

// Unchanged reports whether an input is observed with the values that the model wrote, but for what
// is false.
func Unchanged(observed, in object.Object) bool {
	for _, m := range observed {
		if v, ok := in.Lookup(m.Name); m.Value != false && (!ok || object.Text(v) != object.Text(m.Value)) {
			return false
		}
	}
	return true
}

func ordered(name string, in object.Object) object.Object {
	out := make(object.Object, 0, len(in))
	for _, p := range schemas[name].params {
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
	path := in.Text(member)
	if path == "" {
		return in
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return in.With(member, filepath.Clean(path))
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
