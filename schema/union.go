package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Union is a choice between objects, told apart by the values of tag members. A union that is an
// arm of another one is flattened into it, so that there may be several tags: first the one that
// all arms have, such as "type", then the one that tells apart the arms with the same first tag,
// such as "subtype".
type Union struct {
	Tags []string // names of the tag members, the coarsest first
	Arms []*Arm   // in the order of the schema

	root *branch
}

// An Arm is one choice of a [Union].
type Arm struct {
	Definition *Definition
	Index      int // position in the oneOf of the union, of the outermost one if unions are nested
	Tags       []Tag
	Unknown    bool // takes the tags that no other arm has
	Legacy     bool // read, never sent; may have the tags of another arm
}

// A Tag is a condition on one tag member of an arm.
type Tag struct {
	Name   string
	Values []string // the values that select the arm
	Except []string // for an arm that takes values that no arm has: those that do not select it
}

// Tag returns the arm's condition on the tag member of that name, or nil.
func (a *Arm) Tag(name string) *Tag {
	for i := range a.Tags {
		if a.Tags[i].Name == name {
			return &a.Tags[i]
		}
	}
	return nil
}

// Union returns the union that n, or what it refers to, chooses from. The arms of other kinds than
// object (a null, a plain string) are left out. It is false if n is not a choice between two or
// more objects.
func (s *Set) Union(n *Node) (*Union, bool) {
	u, ok := s.unions[s.Resolve(n)]
	return u, ok
}

// findUnions derives the union of each oneOf, and checks that the arms of every oneOf can be told
// apart.
func (s *Set) findUnions() (errs []error) {
	for _, n := range s.nodes {
		if len(n.OneOf) == 0 {
			continue
		}
		u := &Union{}
		if err := s.flatten(u, n, -1, nil); err != nil {
			errs = append(errs, &LoadError{n.File, n.Pointer + "/oneOf", err})
			continue
		}
		if err := s.distinctKinds(n); err != nil {
			errs = append(errs, &LoadError{n.File, n.Pointer + "/oneOf", err})
			continue
		}
		if len(u.Arms) < 2 {
			continue
		}
		modern := slices.DeleteFunc(slices.Clone(u.Arms), func(a *Arm) bool { return a.Legacy })
		root, err := u.split(modern, nil)
		if err != nil {
			errs = append(errs, &LoadError{n.File, n.Pointer + "/oneOf", err})
			continue
		}
		u.root = root
		s.unions[n] = u
	}
	return errs
}

// distinctKinds sorts the arms of n by the kinds of JSON that they accept, and checks that no two
// accept the same one, objects aside.
func (s *Set) distinctKinds(n *Node) error {
	arms := map[string][]*Node{}
	taken := map[string]int{}
	for i, arm := range n.OneOf {
		for _, k := range s.Kinds(arm) {
			if first, ok := taken[k]; ok && k != "object" {
				return fmt.Errorf("arms %d and %d both accept the kind %s", first, i, k)
			}
			taken[k] = i
			arms[k] = append(arms[k], arm)
		}
	}
	s.armsByKind[n] = arms
	return nil
}

// flatten adds the object arms of n to u. index is the arm of the outermost union that led here, -1
// there itself.
func (s *Set) flatten(u *Union, n *Node, index int, path []*Node) error {
	if slices.Contains(path, n) {
		return errors.New("the union contains itself")
	}
	for i, arm := range n.OneOf {
		if index >= 0 {
			i = index
		}
		target := s.Resolve(arm)
		switch {
		case len(target.OneOf) > 0:
			if err := s.flatten(u, target, i, append(path, n)); err != nil {
				return err
			}
		case slices.Contains(s.Kinds(target), "object"):
			u.Arms = append(u.Arms, &Arm{
				Definition: s.definitionOf(target),
				Index:      i,
				Tags:       s.tagsOf(target),
				Unknown:    target.Unknown,
				Legacy:     target.Legacy() && !target.Unknown,
			})
		}
	}
	return nil
}

// definitionOf returns the definition whose node is n, or nil for an inline one.
func (s *Set) definitionOf(n *Node) *Definition {
	if d := s.byName[n.Location()]; d != nil && d.Node == n {
		return d
	}
	return nil
}

// tagsOf lists the required members of n that have fixed strings as values.
func (s *Set) tagsOf(n *Node) (tags []Tag) {
	for _, p := range n.Properties {
		if !p.Required {
			continue
		}
		target := s.Resolve(p.Node)
		tag := Tag{Name: p.Name, Except: target.NotEnum}
		if v, ok := target.Const.(string); ok {
			tag.Values = []string{v}
		}
		for _, v := range target.Enum {
			if v, ok := v.(string); ok {
				tag.Values = append(tag.Values, v)
			}
		}
		if tag.Except != nil {
			tag.Values = target.XEnum
		}
		if tag.Values != nil || tag.Except != nil {
			tags = append(tags, tag)
		}
	}
	return tags
}

// tagValues lists the values of a tag in an arm.
func (s *Set) tagValues(arm *Definition, tag string) []string {
	if arm == nil {
		return nil
	}
	for _, t := range s.tagsOf(arm.Node) {
		if t.Name == tag {
			return t.Values
		}
	}
	return nil
}

// A branch is a step of the way from the tags of an instance to its arm.
type branch struct {
	arm    *Arm   // the end of the way, if not nil
	tag    string // else the member to look at
	values map[string]*branch
	other  *branch // for values that are not in the map; nil if there is no unknown arm
}

// split finds the way to each of arms. path holds the tags that led here, each with its one value.
func (u *Union) split(arms []*Arm, path []Tag) (*branch, error) {
	switch len(arms) {
	case 0:
		return nil, errors.New("the union has legacy arms only")
	case 1:
		return &branch{arm: arms[0]}, nil
	}
	name := coarsest(arms, path)
	if name == "" {
		return nil, fmt.Errorf("no tag tells these arms apart: %s", armNames(arms))
	}
	if !slices.Contains(u.Tags, name) {
		u.Tags = append(u.Tags, name)
	}
	var known []string
	var unknown []*Arm
	groups := map[string][]*Arm{}
	for _, arm := range arms {
		tag := arm.Tag(name)
		if tag.Except != nil {
			unknown = append(unknown, arm)
		}
		for _, v := range tag.Values {
			if groups[v] == nil {
				known = append(known, v)
			}
			groups[v] = append(groups[v], arm)
		}
	}
	var err error
	b := &branch{tag: name, values: map[string]*branch{}}
	for _, v := range known {
		if b.values[v], err = u.split(groups[v], append(slices.Clone(path), Tag{name, []string{v}, nil})); err != nil {
			return nil, err
		}
	}
	if unknown != nil {
		if len(unknown) > 1 {
			return nil, fmt.Errorf("there are several unknown arms: %s", armNames(unknown))
		}
		b.other = &branch{arm: unknown[0]}
		tag := unknown[0].Tag(name)
		others := slices.DeleteFunc(known, func(v string) bool { return slices.Contains(tag.Values, v) })
		err = u.leavesOut(tag, others, path)
	}
	return b, err
}

// leavesOut checks that the tag of an arm that takes unknown values excludes those of other arms,
// legacy ones included, and no more.
func (u *Union) leavesOut(unknown *Tag, known []string, path []Tag) error {
	for _, arm := range u.Arms {
		if tag := arm.Tag(unknown.Name); arm.Legacy && tag != nil && arm.on(path) {
			known = append(known, tag.Values...)
		}
	}
	for _, v := range known {
		if !slices.Contains(unknown.Except, v) {
			return fmt.Errorf("the unknown arm does not leave out the %s %q", unknown.Name, v)
		}
	}
	for _, v := range unknown.Except {
		if !slices.Contains(known, v) {
			return fmt.Errorf("the unknown arm leaves out the %s %q, which no arm has", unknown.Name, v)
		}
	}
	return nil
}

// on reports whether an instance with these tags may be of the arm.
func (a *Arm) on(path []Tag) bool {
	for _, step := range path {
		if tag := a.Tag(step.Name); tag != nil && !tag.matches(step.Values[0]) {
			return false
		}
	}
	return true
}

func (t *Tag) matches(value string) bool {
	if t.Except != nil {
		return !slices.Contains(t.Except, value)
	}
	return slices.Contains(t.Values, value)
}

// coarsest returns the tag that all arms have and that makes the fewest groups of them, but more
// than one; of equal ones the first of the first arm.
func coarsest(arms []*Arm, path []Tag) (best string) {
	fewest := 0
	for _, candidate := range arms[0].Tags {
		if slices.ContainsFunc(path, func(t Tag) bool { return t.Name == candidate.Name }) {
			continue
		}
		distinct := map[string]bool{}
		common := true
		for _, arm := range arms {
			tag := arm.Tag(candidate.Name)
			if tag == nil {
				common = false
				break
			}
			if tag.Except != nil {
				distinct["unknown "] = true
			}
			for _, v := range tag.Values {
				distinct["value "+v] = true
			}
		}
		if n := len(distinct); common && n > 1 && (best == "" || n < fewest) {
			best, fewest = candidate.Name, n
		}
	}
	return best
}

func armNames(arms []*Arm) string {
	var names []string
	for _, arm := range arms {
		if arm.Definition == nil {
			names = append(names, fmt.Sprintf("inline arm %d", arm.Index))
			continue
		}
		names = append(names, arm.Definition.Name())
	}
	return strings.Join(names, ", ")
}
