package structured

import (
	"math"
	"slices"

	"github.com/ccwire/ccwire/internal/object"
)

// kinds are the names of types.
var kinds = []string{"string", "number", "integer", "boolean", "null", "object", "array"}

// is reports whether a value has a type.
func is(v any, kind string) bool {
	switch v := v.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case []any:
		return kind == "array"
	case object.Object:
		return kind == "object"
	default:
		n, ok := number(v)
		return ok && (kind == "number" || kind == "integer" && n == math.Trunc(n))
	}
}

// number returns a value that is a number.
func number(v any) (float64, bool) { return object.Of("n", v).Number("n") }

// types are the types that a schema allows, nil for all.
func types(schema object.Object) []string {
	list := texts(schema.Get("type"))
	if schema.Bool("nullable") && len(list) > 0 && !slices.Contains(list, "null") {
		list = append(list, "null")
	}
	return list
}

// equal reports whether two values are the same.
func equal(a, b any) bool {
	x, xok := a.(object.Object)
	y, yok := b.(object.Object)
	if xok && yok {
		if len(x) != len(y) {
			return false
		}
		for _, m := range x {
			if v, ok := y.Lookup(m.Name); !ok || !equal(m.Value, v) {
				return false
			}
		}
		return true
	}
	p, pok := a.([]any)
	q, qok := b.([]any)
	if pok && qok {
		return slices.EqualFunc(p, q, equal)
	}
	return xok == yok && pok == qok && object.Text(a) == object.Text(b)
}
