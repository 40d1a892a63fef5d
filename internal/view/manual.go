package view

import (
	"html/template"
	"strings"

	"github.com/ccwire/ccwire/schema"
)

// A Manual returns what there is to read about a definition, such as
// control/can_use_tool.json#/$defs/Request, as HTML that can be trusted; "" if there is nothing.
type Manual func(name string) (template.HTML, error)

// allNames returns every name that a row may have, for a session whose lines are not known yet.
func allNames() (list []string) {
	for _, name := range definitions() {
		list = append(list, name)
	}
	for _, d := range schema.Default().Definitions() {
		hook := strings.HasPrefix(d.File, "hook/") && (d.Pointer == "/$defs/Input" || d.Pointer == "/$defs/Output")
		if hook || d.IsRequest() || d.Pointer == "/$defs/Response" {
			list = append(list, d.Name())
		}
	}
	return list
}
