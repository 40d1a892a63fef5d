package crate

import (
	"strings"

	"github.com/ccwire/ccwire/internal/packages/model"
)

// RustType returns a type as a user of the crate names it.
func RustType(m *model.Model, e *model.Expr) (string, error) {
	g := &generator{model: m, shapes: map[*model.Type]bool{}}
	g.findShapes()
	name, err := expr(e, g.path)
	return strings.ReplaceAll(name, "crate::", "ccwire::"), err
}

// RustName is the name of a type alone.
var RustName = typeName
