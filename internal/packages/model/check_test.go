package model_test

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/ccwire/ccwire/internal/packages/model"
)

// valid reports whether a value is one of the expression, as a reader checks it.
func valid(e *model.Expr, v any) bool {
	if v == nil && e.Nullable {
		return true
	}
	text, isString := v.(string)
	object, isObject := v.(map[string]any)
	switch e.Kind {
	case model.Any:
		return true
	case model.Const:
		return isString && text == e.Const
	case model.String:
		return isString && !slices.Contains(e.Except, text)
	case model.Bool:
		_, ok := v.(bool)
		return ok
	case model.Number, model.Int:
		n, ok := v.(json.Number)
		if !ok || e.Kind == model.Number {
			return ok
		}
		exact, ok := new(big.Rat).SetString(string(n))
		return ok && exact.IsInt()
	case model.Object:
		return isObject
	case model.Map:
		for _, elem := range object {
			if !valid(e.Elem, elem) {
				return false
			}
		}
		return isObject
	case model.List:
		list, ok := v.([]any)
		return ok && !slices.ContainsFunc(list, func(elem any) bool { return !valid(e.Elem, elem) })
	}
	return ofType(e.Type, e.Except, v)
}

// ofType reports whether a value is one of the type; except are the values that an enum leaves to
// others.
func ofType(t *model.Type, except []string, v any) bool {
	text, isString := v.(string)
	object, isObject := v.(map[string]any)
	switch {
	case t.Base != nil: // what is wrong in a line of the wrong direction is found, too
		return ofType(t.Base, except, v)
	case t.Enum != nil:
		return isString && !slices.Contains(except, text) && (!t.Enum.Closed || slices.Contains(t.Enum.Values, text))
	case t.Union != nil:
		return isObject && ofUnion(t.Union, object) ||
			slices.ContainsFunc(t.Union.Arms, func(a *model.Arm) bool { return a.Legacy && ofType(a.Type, nil, v) })
	case t.Struct != nil:
		return isObject && ofStruct(t.Struct, object)
	case t.Alias != nil:
		return valid(t.Alias, v)
	}
	return slices.ContainsFunc(t.Choice, func(arm *model.Expr) bool { return valid(arm, v) })
}

func ofUnion(u *model.Union, v map[string]any) bool {
	tag, _ := v[u.Tag].(string)
	known := false
	var other *model.Type
	for _, arm := range u.Arms {
		if !slices.Contains(arm.Values, tag) {
			if arm.Open || arm.Unknown {
				other = arm.Type
			}
			continue
		}
		known = known || !arm.Legacy
		if !arm.Legacy && ofType(arm.Type, nil, v) {
			return true
		}
	}
	return !known && other != nil && ofType(other, nil, v)
}

func ofStruct(s *model.Struct, v map[string]any) bool {
	for _, m := range s.Members {
		value, ok := v[m.Name]
		if !ok && m.Required || ok && !valid(m.Value, value) {
			return false
		}
	}
	return s.Lacks == nil || slices.ContainsFunc(s.Lacks, func(name string) bool { _, ok := v[name]; return !ok })
}
