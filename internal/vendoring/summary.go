package vendoring

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Summary says how the types of a copy differ from those that the folder has. Members are named
// with their type, such as CanUseToolRequest.ToolName; those of a type that is new or gone are not
// listed.
type Summary struct {
	From    string   `json:"from"` // revisions of the schemas; "" if it is not known
	To      string   `json:"to"`
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
	Changed []string `json:"changed"` // with the new type of the member, and the old one
}

// None reports whether there is nothing to say.
func (s *Summary) None() bool {
	return s.From == s.To && len(s.Added)+len(s.Removed)+len(s.Changed) == 0
}

// Summary compares the copy with what the folder has. It is nil if that has no copy yet. A file
// that does not parse counts as far as it does.
func (c *Copy) Summary() (*Summary, error) {
	old, err := readManifest(c.Dir)
	if err != nil || len(old.Files) == 0 {
		return nil, err
	}
	was, is := newSurface(), newSurface()
	for name := range old.Files {
		if text, err := os.ReadFile(c.path(name)); err == nil {
			was.add(name, text)
		}
	}
	for name, text := range c.files {
		is.add(name, text)
	}
	return is.since(was), nil
}

// A surface is what a user of the types sees: the types, and for each the members with their types.
// Fields, methods of interfaces and known values of enums are members.
type surface struct {
	revision string
	types    map[string]map[string]string
}

func newSurface() *surface { return &surface{types: map[string]map[string]string{}} }

// add adds what a file declares, if it is one of the types' package.
func (s *surface) add(name string, text []byte) {
	if path.Dir(name) != "." || path.Ext(name) != ".go" {
		return
	}
	f, _ := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if f == nil {
		return
	}
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.addType(spec)
			case *ast.ValueSpec:
				s.addConstants(spec)
			}
		}
	}
}

func (s *surface) addType(spec *ast.TypeSpec) {
	if !spec.Name.IsExported() {
		return
	}
	members := s.membersOf(spec.Name.Name)
	var fields *ast.FieldList
	switch t := spec.Type.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return
	}
	for _, f := range fields.List {
		for _, name := range f.Names {
			if name.IsExported() {
				members[name.Name] = source(f.Type)
			}
		}
	}
}

// source returns an expression as Go writes it. Package go/types has a function for that, but with
// it a whole type checker would be linked in.
func source(e ast.Expr) string {
	var b strings.Builder
	format.Node(&b, token.NewFileSet(), e) // the parser made it, and the writer does not fail
	return b.String()
}

// addConstants adds the values of an enum, and finds the revision.
func (s *surface) addConstants(spec *ast.ValueSpec) {
	for i, name := range spec.Names {
		if i >= len(spec.Values) || !name.IsExported() {
			continue
		}
		value, ok := spec.Values[i].(*ast.BasicLit)
		typ, typed := spec.Type.(*ast.Ident)
		switch {
		case ok && typed && typ.IsExported():
			s.membersOf(typ.Name)[name.Name] = value.Value
		case ok && name.Name == "Revision":
			s.revision, _ = strconv.Unquote(value.Value)
		}
	}
}

func (s *surface) membersOf(typ string) map[string]string {
	if s.types[typ] == nil {
		s.types[typ] = map[string]string{}
	}
	return s.types[typ]
}

// since compares a surface with an older one.
func (s *surface) since(old *surface) *Summary {
	out := &Summary{From: old.revision, To: s.revision, Added: []string{}, Removed: []string{}, Changed: []string{}}
	for _, typ := range union(s.types, old.types) {
		is, in := s.types[typ]
		was, before := old.types[typ]
		switch {
		case !before:
			out.Added = append(out.Added, typ)
		case !in:
			out.Removed = append(out.Removed, typ)
		default:
			out.members(typ, is, was)
		}
	}
	return out
}

// members compares the members of a type.
func (s *Summary) members(typ string, is, was map[string]string) {
	for _, name := range union(is, was) {
		now, in := is[name]
		old, before := was[name]
		full := typ + "." + name
		switch {
		case !before:
			s.Added = append(s.Added, full)
		case !in:
			s.Removed = append(s.Removed, full)
		case now != old:
			s.Changed = append(s.Changed, full+": "+now+", was "+old)
		}
	}
}

// union returns the keys of two maps, sorted.
func union[V any](a, b map[string]V) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.SortFunc(keys, strings.Compare)
	return slices.Compact(keys)
}
