package generator

import (
	"io/fs"
	"slices"
)

// Owners returns the names of the definitions that each exported Go name is generated for: types,
// constants, and what reads a union. Names that every subset has are not among them, nor are those
// of the unions of tools.
func Owners(schemas fs.FS) (map[string][]string, error) {
	in, err := load(schemas)
	if err != nil {
		return nil, err
	}
	p, err := build(in)
	if err != nil {
		return nil, err
	}
	owners := map[string][]string{}
	for _, f := range p.files {
		for _, s := range f.structs {
			owners[s.name] = []string{s.def.Name()}
		}
		for _, c := range f.choices {
			owners[c.name] = []string{c.def}
		}
		for _, e := range f.enums {
			owners[e.name] = []string{e.def}
			for _, v := range e.values {
				owners[constName(e.name, v)] = []string{e.def}
			}
		}
	}
	for _, f := range p.files {
		for _, u := range f.unions {
			own := []string{u.def.Name()}
			owners[u.name], owners[u.unknown()], owners["Decode"+u.name] = own, own, own
			if prefix, ok := tagConstants[u.name]; ok {
				owners[prefix+"s"] = own
				for _, g := range u.groups {
					owners[constName(prefix, g.value)] = append(slices.Clone(own), owners[g.arm.name]...)
				}
			}
		}
	}
	return owners, nil
}
