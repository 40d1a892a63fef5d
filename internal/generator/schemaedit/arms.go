package schemaedit

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/jsontext"
	"github.com/ccwire/ccwire/schema"
)

// UpdateArms rewrites the unions below dir that have x-arms, and returns the files that it changed:
// oneOf lists the definitions that its globs match, sorted by path for each, and then those of its
// arms that no glob covers; an arm that takes unknown tags leaves out those of the others. The
// rest of each file stays as it is. A definition that a glob matches and oneOf lacks is the usual
// reason to call it: somebody has added a file.
//
// It does not see mistakes that have nothing to do with the arms, as [schema.Load] does.
func UpdateArms(dir string) (changed []string, err error) {
	texts, err := readFiles(dir)
	if err != nil {
		return nil, err
	}
	t, err := parse(texts)
	if err != nil {
		return nil, err
	}
	edits := map[string][]listEdit{}
	for _, n := range t.unions {
		if err := t.updateArms(n, edits); err != nil {
			return nil, &schema.LoadError{File: n.file, Pointer: n.pointer + "/x-arms", Err: err}
		}
	}
	edited := map[string][]byte{}
	for file, todo := range edits {
		if edited[file], err = applyEdits(texts[file], todo); err != nil {
			return nil, fmt.Errorf("schema %s: %w", file, err)
		}
	}
	return writeFiles(dir, texts, edited)
}

// updateArms adds what has to change for the union n.
func (t *tree) updateArms(n *node, edits map[string][]listEdit) error {
	globs := strings.Fields(n.Arms)
	var arms, now []string
	for _, glob := range globs {
		matches, err := t.matching(glob)
		if err != nil {
			return err
		}
		if len(matches) == 0 {
			return fmt.Errorf("%q matches nothing", glob)
		}
		arms = append(arms, matches...)
	}
	for _, arm := range n.OneOf {
		if arm.Ref == "" {
			return errors.New("x-arms and an arm without $ref")
		}
		covered := func(glob string) bool { return matchesArm(glob, arm.Ref) }
		if !slices.ContainsFunc(globs, covered) {
			arms = append(arms, arm.Ref)
		}
		now = append(now, arm.Ref)
	}
	if !slices.Equal(arms, now) {
		var items []string
		for _, name := range arms {
			items = append(items, fmt.Sprintf(`{"$ref": %s}`, quoted(relative(n.file, name))))
		}
		edits[n.file] = append(edits[n.file], listEdit{n.pointer + "/oneOf", items, false})
	}
	return t.updateUnknown(arms, edits)
}

// matching returns the names of the definitions that a glob of x-arms matches.
func (t *tree) matching(glob string) (names []string, err error) {
	if _, err := path.Match(glob, ""); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(t.definitions)) {
		if matchesArm(glob, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// matchesArm reports whether a glob of x-arms, such as "control/*.json#/$defs/Request", matches the
// name of a definition.
func matchesArm(glob, name string) bool {
	pattern, pointer, _ := strings.Cut(glob, "#")
	file, at, _ := strings.Cut(name, "#")
	matched, _ := path.Match(pattern, file) // the caller knows that the pattern is a good one
	return matched && at == pointer
}

// updateUnknown adds what has to change in the arms that take unknown tags for those of the others.
func (t *tree) updateUnknown(arms []string, edits map[string][]listEdit) error {
	for _, name := range arms {
		if t.definitions[name] == nil {
			return fmt.Errorf("the arm %s does not exist", name)
		}
	}
	for _, name := range arms {
		properties := t.definitions[name].Properties
		for _, tag := range slices.Sorted(maps.Keys(properties)) {
			p := properties[tag]
			if p.Not.Enum == nil {
				continue
			}
			var values, items []string
			for _, arm := range arms {
				if arm == name {
					continue
				}
				more, err := t.tagValues(t.definitions[arm], tag)
				if err != nil {
					return err
				}
				values = append(values, more...)
			}
			if slices.Equal(values, p.Not.Enum) {
				continue
			}
			for _, v := range values {
				items = append(items, quoted(v))
			}
			edits[p.file] = append(edits[p.file], listEdit{p.pointer + "/not/enum", items, true})
		}
	}
	return nil
}

// tagValues lists the values of a tag that select an arm.
func (t *tree) tagValues(arm *node, tag string) (values []string, err error) {
	p, ok := arm.Properties[tag]
	if !ok || !slices.Contains(arm.Required, tag) {
		return nil, nil
	}
	if p, err = t.resolve(p); err != nil {
		return nil, err
	}
	if p.Not.Enum != nil { // it takes unknown tags
		return p.XEnum, nil
	}
	for _, v := range append([]any{p.Const}, p.Enum...) {
		if v, ok := v.(string); ok {
			values = append(values, v)
		}
	}
	return values, nil
}

// relative writes the name of a definition as a $ref in file.
func relative(file, name string) string {
	target, pointer, hasPointer := strings.Cut(name, "#")
	switch {
	case target == file:
		target = ""
	case path.Dir(target) == path.Dir(file):
		target = path.Base(target)
	default:
		target = strings.Repeat("../", strings.Count(file, "/")) + target
	}
	if hasPointer {
		return target + "#" + pointer
	}
	return target
}

// quoted returns s, which is UTF-8, as a JSON string.
func quoted(s string) string {
	text, _ := jsontext.AppendString(nil, s)
	return string(text)
}
