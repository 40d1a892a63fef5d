package schema

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	// Draft is the JSON Schema dialect of every file.
	Draft = "https://json-schema.org/draft/2020-12/schema"

	// Base is what the $id of a file starts with; the file's path from the schema root follows.
	Base = "https://github.com/ccwire/ccwire/schema/"
)

// A Set is a tree of schema files, parsed and cross-checked. It does not change and may be used by
// several goroutines.
type Set struct {
	definitions  []*Definition
	byName       map[string]*Definition
	nodes        []*Node          // every node, for checks and searches
	byPlace      map[string]*Node // by Location
	unions       map[*Node]*Union
	armsByKind   map[*Node]map[string][]*Node // of a oneOf, those that accept a JSON kind
	tools        map[string]*Tool             // by all their names
	files        map[string][]byte
	open, closed *Validator
}

// driverFolder has the schemas of the protocol between protogen conform sdk and a driver, which are
// plain JSON Schema and no part of the wire.
const driverFolder = "conformance"

// Load reads every *.json file in fsys, except below folders named testdata, transcript and
// conformance. The error joins a [*LoadError] for each mistake: an unknown keyword, an $id that
// does not fit the path, a $ref that points nowhere, arms of a union that nothing tells apart.
func Load(fsys fs.FS) (*Set, error) { return load(fsys, "testdata", transcriptFolder) }

// load is Load for every file but those below folders with one of the names.
func load(fsys fs.FS, without ...string) (*Set, error) {
	s, err := parse(fsys, without...)
	if err != nil {
		return nil, err
	}
	if errs := s.link(); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if errs := append(s.findUnions(), s.findTools()...); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	s.newValidators()
	return s, nil
}

// parse reads the files, each on its own, but for those below folders with one of the names and
// those of the driver protocol.
func parse(fsys fs.FS, without ...string) (*Set, error) {
	s := &Set{
		byName:     map[string]*Definition{},
		byPlace:    map[string]*Node{},
		unions:     map[*Node]*Union{},
		armsByKind: map[*Node]map[string][]*Node{},
		tools:      map[string]*Tool{},
		files:      map[string][]byte{},
	}
	var errs []error
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == driverFolder || slices.Contains(without, d.Name())):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".json":
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		errs = append(errs, s.add(name, text)...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(s.files) == 0 {
		return nil, errors.New("schema: no *.json files")
	}
	slices.SortFunc(s.definitions, func(a, b *Definition) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Pointer, b.Pointer))
	})
	return s, errors.Join(errs...)
}

// add parses one file into the set.
func (s *Set) add(name string, text []byte) []error {
	p := &parser{file: name}
	defs, id := p.definitions(text)
	if want := Base + name; id != want && len(defs) > 0 {
		p.fail("/$id", fmt.Errorf("is %q, want %q", id, want))
	}
	for _, d := range defs {
		s.byName[d.Name()] = d
	}
	s.files[name] = text
	s.definitions = append(s.definitions, defs...)
	s.nodes = append(s.nodes, p.all...)
	for _, n := range p.all {
		s.byPlace[n.Location()] = n
	}
	return p.errs
}

// link checks that every ref points to a definition and that no chain of refs is a circle.
func (s *Set) link() (errs []error) {
	for _, n := range s.nodes {
		seen := map[*Node]bool{}
		for at := n; at.Ref != ""; {
			next, ok := s.byName[at.Ref]
			if !ok {
				if at == n {
					errs = append(errs, &LoadError{n.File, n.Pointer + "/$ref", fmt.Errorf("points to %s, which does not exist", n.Ref)})
				}
				break
			}
			if seen[next.Node] {
				errs = append(errs, &LoadError{n.File, n.Pointer + "/$ref", fmt.Errorf("leads through %s in a circle", n.Ref)})
				break
			}
			seen[next.Node] = true
			at = next.Node
		}
	}
	return errs
}

// Definitions returns every definition, sorted by file and pointer.
func (s *Set) Definitions() []*Definition { return slices.Clone(s.definitions) }

// Lookup returns the definition of that name (see [Definition.Name]), or nil.
func (s *Set) Lookup(name string) *Definition {
	return s.byName[strings.TrimSuffix(name, "#")]
}

// Resolve follows the refs of n and returns the node that says what an instance looks like.
// Keywords beside a $ref, such as a description, stay behind.
func (s *Set) Resolve(n *Node) *Node {
	for n.Ref != "" {
		n = s.byName[n.Ref].Node
	}
	return n
}

// Kinds returns the JSON kinds that n accepts: some of "string", "number", "boolean", "null",
// "array", "object", in that order. A node that says nothing accepts all of them. An integer is of
// kind "number".
func (s *Set) Kinds(n *Node) []string {
	n = s.Resolve(n)
	have := map[string]bool{}
	switch {
	case len(n.Types) > 0:
		for _, t := range n.Types {
			if t == "integer" {
				t = "number"
			}
			have[t] = true
		}
	case n.HasConst:
		have[kindOf(n.Const)] = true
	case len(n.Enum) > 0:
		for _, v := range n.Enum {
			have[kindOf(v)] = true
		}
	case len(n.OneOf) > 0:
		for _, arm := range n.OneOf {
			for _, k := range s.Kinds(arm) {
				have[k] = true
			}
		}
	case len(n.XEnum) > 0:
		have["string"] = true
	default:
		return slices.Clone(allKinds)
	}
	return slices.DeleteFunc(slices.Clone(allKinds), func(k string) bool { return !have[k] })
}

var allKinds = []string{"string", "number", "boolean", "null", "array", "object"}
