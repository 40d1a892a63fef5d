package schema

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// unionKeyword stands for oneOf in compiled schemas.
const unionKeyword = "x-union"

// unionCompiler makes the JSON Schema compiler understand x-union.
type unionCompiler struct{ v *Validator }

func (c *unionCompiler) Compile(ctx jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	value, ok := m[unionKeyword].(map[string]any)
	if !ok {
		return nil, nil
	}
	id, err := value["id"].(json.Number).Int64()
	if err != nil {
		return nil, err
	}
	d := &dispatch{v: c.v, node: c.v.unions[id], byKind: map[string][]int{}}
	for i, arm := range d.node.OneOf {
		if c.v.drops(arm) {
			continue
		}
		for _, kind := range c.v.set.Kinds(arm) {
			d.byKind[kind] = append(d.byKind[kind], i)
		}
	}
	for i := range value["arms"].([]any) {
		if d.node.OneOf[i].Ref != "" {
			d.arms = append(d.arms, nil)
			continue
		}
		arm, err := ctx.Compile(fmt.Sprintf("%s/arms/%d", unionKeyword, i), true)
		if err != nil {
			return nil, err
		}
		d.arms = append(d.arms, arm)
	}
	return d, nil
}

// dispatch validates an instance by the one arm of a oneOf that it can belong to.
type dispatch struct {
	v      *Validator
	node   *Node
	arms   []*jsonschema.Schema // parallel to node.OneOf; nil for a ref, compiled when it is needed
	byKind map[string][]int     // the arms that accept a JSON kind
}

func (d *dispatch) Validate(ctx jsonschema.ValidationContext, v any) error {
	candidates := d.byKind[kindOf(v)]
	switch len(candidates) {
	case 0:
		return ctx.Error("oneOf", "got %s, want %s", article(kindOf(v)), alternatives(d.wanted()))
	case 1:
		return d.arm(ctx, candidates[0], v)
	}
	members := v.(map[string]any) // two arms of one kind: objects, which Load has checked
	c := d.v.set.unions[d.node].choose(members, d.v.closed)
	if len(c.legacy) == 0 {
		return d.chosen(ctx, c, v)
	}
	return d.either(ctx, c, members)
}

// chosen validates by the arm that the tags select, or reports the tag.
func (d *dispatch) chosen(ctx jsonschema.ValidationContext, c choice, v any) error {
	if c.arm == nil {
		err := ctx.Error("oneOf", "%s", c.reason)
		err.InstanceLocation += "/" + pathEscape(c.tag)
		return err
	}
	return d.arm(ctx, c.arm.Index, v)
}

// either validates by the modern arm or a legacy one. If none fits, the problems are those of the
// modern one, unless only a legacy one has its tag or its required members.
func (d *dispatch) either(ctx jsonschema.ValidationContext, c choice, v map[string]any) error {
	report := d.chosen(ctx, c, v)
	if report == nil {
		return nil
	}
	shaped := c.arm != nil && hasRequired(c.arm.Definition.Node, v)
	for _, legacy := range c.legacy {
		err := d.arm(ctx, legacy.Index, v)
		if err == nil {
			return nil
		}
		if !shaped && (legacy.shapes(v) || c.arm == nil && legacy.Tag(c.tag) != nil) {
			report, shaped = err, true
		}
	}
	return report
}

// shapes reports whether the object has the members that mark the arm.
func (a *Arm) shapes(v map[string]any) bool {
	n := a.Definition.Node
	return len(n.Required) > 0 && hasRequired(n, v)
}

func (d *dispatch) arm(ctx jsonschema.ValidationContext, i int, v any) error {
	arm := d.arms[i]
	if arm == nil {
		var err error
		if arm, err = d.v.schema(d.v.set.Lookup(d.node.OneOf[i].Ref)); err != nil {
			return ctx.Error(unionKeyword, "%v", err)
		}
	}
	return ctx.Validate(arm, fmt.Sprintf("%s/arms/%d", unionKeyword, i), v, "")
}

// wanted lists the kinds that some arm accepts.
func (d *dispatch) wanted() (kinds []string) {
	for _, k := range allKinds {
		if d.byKind[k] != nil {
			kinds = append(kinds, article(k))
		}
	}
	return kinds
}

func hasRequired(n *Node, v map[string]any) bool {
	return !slices.ContainsFunc(n.Required, func(name string) bool { _, ok := v[name]; return !ok })
}
