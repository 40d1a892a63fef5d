package schema

import (
	"maps"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// MaxDeviations is about how many deviations of one document are reported.
const MaxDeviations = 100

// These keywords stand for items, and for the additionalProperties of a map, in compiled schemas.
// They stop after MaxDeviations, so that a long list of broken values does not cost many times its
// size in memory.
const (
	itemsKeyword  = "x-items"
	valuesKeyword = "x-values"
)

// emptyName stands for an empty name in the pointers of the compiler, which takes an empty one for
// no step at all. It decodes to a byte that no name contains.
const emptyName = "%FF"

// elementsCompiler makes the JSON Schema compiler understand one of the two.
type elementsCompiler struct{ keyword string }

func (c elementsCompiler) Compile(ctx jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	if _, ok := m[c.keyword]; !ok {
		return nil, nil
	}
	each, err := ctx.Compile(c.keyword, false)
	return &elements{c.keyword, each}, err
}

type elements struct {
	keyword string
	each    *jsonschema.Schema
}

func (e *elements) Validate(ctx jsonschema.ValidationContext, v any) error {
	var failures []error
	problems := 0
	check := func(name string, v any) bool {
		if name == "" {
			name = emptyName
		}
		if err := ctx.Validate(e.each, e.keyword, v, name); err != nil {
			failures = append(failures, err)
			problems += leaves(err.(*jsonschema.ValidationError))
		}
		return problems < MaxDeviations
	}
	switch v := v.(type) {
	case []any:
		for i := 0; i < len(v) && e.keyword == itemsKeyword && check(strconv.Itoa(i), v[i]); i++ {
		}
	case map[string]any:
		if e.keyword != valuesKeyword {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !check(pathEscape(name), v[name]) {
				break
			}
		}
	}
	if failures == nil {
		return nil
	}
	return jsonschema.ValidationError{}.Group(ctx.Error(e.keyword, "some are wrong"), failures...)
}

// leaves counts the problems below a failure.
func leaves(failure *jsonschema.ValidationError) int {
	if len(failure.Causes) == 0 {
		return 1
	}
	n := 0
	for _, cause := range failure.Causes {
		n += leaves(cause)
	}
	return n
}
