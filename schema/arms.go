package schema

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// UpdateArms rewrites the unions below dir that have x-arms, and returns the files that it changed:
// oneOf lists the definitions that its globs match, sorted by path for each, and then those of its
// arms that no glob covers; an arm that takes unknown tags leaves out those of the others. The
// rest of each file stays as it is. A definition that a glob matches and oneOf lacks is the usual
// reason to call it: somebody has added a file.
func UpdateArms(dir string) (changed []string, err error) {
	s, err := parse(os.DirFS(dir), "testdata")
	if err != nil {
		return nil, err
	}
	edits := map[string][]edit{}
	for _, n := range s.nodes {
		if n.Arms == "" {
			continue
		}
		if err := s.updateArms(n, edits); err != nil {
			return nil, &LoadError{n.File, n.Pointer + "/x-arms", err}
		}
	}
	for _, d := range s.definitions {
		todo := edits[d.File]
		if len(todo) == 0 || slices.Contains(changed, d.File) {
			continue
		}
		text, err := applyEdits(s.files[d.File], todo)
		if err != nil {
			return changed, fmt.Errorf("schema %s: %w", d.File, err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(d.File)), text, 0o644); err != nil {
			return changed, err
		}
		changed = append(changed, d.File)
	}
	return changed, nil
}

// updateArms adds what has to change for the union n.
func (s *Set) updateArms(n *Node, edits map[string][]edit) error {
	globs := strings.Fields(n.Arms)
	var arms, now []string
	for _, glob := range globs {
		matches, err := s.matching(glob)
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
			items = append(items, fmt.Sprintf(`{"$ref": %s}`, quoted(relative(n.File, name))))
		}
		edits[n.File] = append(edits[n.File], edit{n.Pointer + "/oneOf", items, false})
	}
	return s.updateUnknown(arms, edits)
}

// matching returns the names of the definitions that a glob of x-arms matches.
func (s *Set) matching(glob string) (names []string, err error) {
	if _, err := path.Match(glob, ""); err != nil {
		return nil, err
	}
	for _, d := range s.definitions {
		if matchesArm(glob, d.Name()) {
			names = append(names, d.Name())
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
func (s *Set) updateUnknown(arms []string, edits map[string][]edit) error {
	for _, name := range arms {
		unknown, ok := s.byName[name]
		if !ok {
			return fmt.Errorf("the arm %s does not exist", name)
		}
		for _, p := range unknown.Properties {
			if p.NotEnum == nil {
				continue
			}
			var values, items []string
			for _, arm := range arms {
				if arm != name {
					values = append(values, s.tagValues(s.byName[arm], p.Name)...)
				}
			}
			if slices.Equal(values, p.NotEnum) {
				continue
			}
			for _, v := range values {
				items = append(items, quoted(v))
			}
			edits[unknown.File] = append(edits[unknown.File], edit{p.Pointer + "/not/enum", items, true})
		}
	}
	return nil
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

func quoted(s string) string {
	text, _ := marshal(s) // a string always marshals
	return string(text)
}
