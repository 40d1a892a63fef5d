// Package models knows the names, the sizes, the prices and the titles of the models that a session
// can ask.
package models

import "strings"

// Default is the model of a session that chooses none.
const Default = "claude-opus-5-5"

// Planned is the name of a choice of two models: Opus plans, another one does the rest.
const Planned = "opusplan"

// names are the names that stand for models.
var names = map[string]string{
	"": Default, "default": Default, "best": Default, "opus": "claude-opus-5-5", "sonnet": "claude-sonnet-5-5", "haiku": "claude-haiku-5-5",
	"fable": "claude-fable-5-2", Planned: "claude-sonnet-5-5",
}

// retired are models that the CLI does not ask any more. It asks the default one in their place.
var retired = map[string]bool{
	"claude-opus-4-0": true, "claude-opus-4-20250514": true, "claude-opus-4-1": true, "claude-opus-4-1-20250805": true,
}

// long ends the name of a model that is to read as much as it can.
const long = "[1m]"

// Resolve returns the model behind a name. A name that is not known is its own.
func Resolve(name string) string {
	plain := strings.TrimSuffix(name, long)
	if full, ok := names[strings.ToLower(plain)]; ok {
		return full
	}
	if retired[plain] {
		return Default
	}
	if m, ok := find(plain); ok && m.window == million {
		return plain
	}
	return name
}

// Known reports whether the CLI knows a model.
func Known(model string) bool {
	_, ok := find(model)
	return ok
}

// Short reports whether a name stands for a model.
func Short(name string) bool { return names[name] != "" }

// LacksLong reports whether a name is for the long form of a model that has none.
func LacksLong(name string) bool {
	plain, ok := strings.CutSuffix(strings.ToLower(name), long)
	return ok && plain == "haiku"
}

// Asked is the name under which the API is asked for a model.
func Asked(model string) string { return strings.TrimSuffix(model, long) }

// Canonical is the name of a model without what only tells its releases apart.
func Canonical(model string) string {
	if m, ok := find(model); ok {
		return m.name
	}
	return model
}

// ContextWindow is how many tokens a model can read.
func ContextWindow(model string) int {
	m, ok := find(model)
	if !ok || strings.HasSuffix(model, long) {
		return million
	}
	return m.window
}

// MaxOutput is how many tokens a model can write.
func MaxOutput(model string) int {
	m, _ := find(model)
	return m.output
}

// Title is what people call a model: "Opus 5.5". A model that is not known is called by its name.
func Title(model string) string {
	m, ok := find(model)
	if !ok {
		return model
	}
	parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(m.name, "claude-"), "-0"), "-")
	family := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	title := family(parts[0]) + " " + strings.Join(parts[1:], ".")
	if last := len(parts) - 1; parts[0] == "3" {
		title = "Claude " + strings.Join(parts[:last], ".") + " " + family(parts[last])
	}
	if strings.HasSuffix(model, long) && m.window < million {
		title += " (1M context)"
	}
	return title
}
