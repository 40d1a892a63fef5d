package vendoring

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// prune returns hand-written files of a package without the declarations that refer to one of the
// names that a subset lacks, and without those that refer to these. A file that has a substitute
// is replaced by it if it would lose anything; one of which nothing is left is left out. The names
// of what is taken away are added to lacks.
func prune(handwritten map[string][]byte, lacks map[string]bool, instead map[string]string) (map[string][]byte, error) {
	set := token.NewFileSet()
	parsed := map[string]*ast.File{}
	for name, text := range handwritten {
		f, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed[name] = f
	}
	gone := map[ast.Node]bool{}
	replaced := map[string]bool{}
	for again := true; again; {
		again = false
		for name, f := range parsed {
			for _, d := range declarations(f) {
				if gone[d.node] || !refersTo(d.node, lacks) && d.armOf(lacks) == "" {
					continue
				}
				again = true
				if text, ok := instead[name]; ok {
					replaced[name] = true
					delete(parsed, name)
					if err := lose(f, name, text, lacks); err != nil {
						return nil, err
					}
					break
				}
				gone[d.node] = true
				for _, n := range d.names {
					lacks[n] = true
				}
				if arm := d.armOf(lacks); arm != "" {
					lacks[arm] = true
				}
			}
		}
	}
	out := map[string][]byte{}
	for name := range replaced {
		out[name] = []byte(instead[name])
	}
	for name, f := range parsed {
		text, err := without(set, f, handwritten[name], gone)
		if err != nil {
			return nil, err
		}
		if text != nil {
			out[name] = text
		}
	}
	return out, nil
}

// lose adds the names that a file declares, and what replaces it does not, to those that are
// lacking.
func lose(f *ast.File, name, instead string, lacks map[string]bool) error {
	for _, d := range declarations(f) {
		for _, n := range d.names {
			lacks[n] = true
		}
	}
	return eachDeclared(name, []byte(instead), func(n string) { delete(lacks, n) })
}

// sweep returns hand-written files without the unexported functions that neither they nor the
// generated files use.
func sweep(handwritten, generated map[string][]byte) (map[string][]byte, error) {
	roots := map[string]bool{}
	if err := useNames(generated, roots); err != nil {
		return nil, err
	}
	for {
		used := maps.Clone(roots)
		if err := useNames(handwritten, used); err != nil {
			return nil, err
		}
		unused := map[string]bool{}
		for name, text := range handwritten {
			f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && !fn.Name.IsExported() && !used[fn.Name.Name] {
					unused[fn.Name.Name] = true
				}
			}
		}
		if len(unused) == 0 {
			return handwritten, nil
		}
		var err error
		if handwritten, err = prune(handwritten, unused, nil); err != nil {
			return nil, err
		}
	}
}

// useNames adds the names that declarations use of others.
func useNames(files map[string][]byte, used map[string]bool) error {
	for name, text := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range declarations(f) {
			eachName(d.node, func(name string) {
				if !slices.Contains(d.names, name) {
					used[name] = true
				}
			})
		}
	}
	return nil
}

// A declaration is a function, a method or a spec, with the names that it gives to the package.
type declaration struct {
	node  ast.Node
	names []string
}

// armOf returns the type that a method makes an arm of a union which is in lacks, "" for all other
// declarations. An arm is for nothing without its union.
func (d declaration) armOf(lacks map[string]bool) (name string) {
	f, ok := d.node.(*ast.FuncDecl)
	if !ok || f.Recv == nil || !strings.HasPrefix(f.Name.Name, "is") || !lacks[strings.TrimPrefix(f.Name.Name, "is")] {
		return ""
	}
	eachName(f.Recv, func(n string) { name = n })
	return name
}

// declarations returns what a file declares, imports aside.
func declarations(f *ast.File) (out []declaration) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			one := declaration{node: d}
			if d.Recv == nil {
				one.names = []string{d.Name.Name}
			}
			out = append(out, one)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					out = append(out, declaration{spec, []string{spec.Name.Name}})
				case *ast.ValueSpec:
					one := declaration{node: spec}
					for _, n := range spec.Names {
						if n.Name != "_" { // names nothing
							one.names = append(one.names, n.Name)
						}
					}
					out = append(out, one)
				}
			}
		}
	}
	return out
}

// refersTo reports whether a declaration uses one of the names of its package.
func refersTo(node ast.Node, names map[string]bool) (found bool) {
	eachName(node, func(name string) { found = found || names[name] })
	return found
}

// eachName calls visit with every name in a declaration that may be one of its package: not those
// of fields and methods. A local variable with the name of a type counts as that type.
func eachName(node ast.Node, visit func(name string)) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			eachName(n.X, visit)
			return false
		case *ast.Field:
			if n.Type != nil {
				eachName(n.Type, visit)
			}
			return false
		case *ast.KeyValueExpr:
			if _, field := n.Key.(*ast.Ident); !field {
				eachName(n.Key, visit)
			}
			eachName(n.Value, visit)
			return false
		case *ast.Ident:
			visit(n.Name)
		}
		return true
	})
}

// without returns the text of a file without some declarations and the imports that it then does
// not need, nil if no declaration is left.
func without(set *token.FileSet, f *ast.File, text []byte, gone map[ast.Node]bool) ([]byte, error) {
	all := declarations(f)
	left := slices.DeleteFunc(slices.Clone(all), func(d declaration) bool { return gone[d.node] })
	switch len(left) {
	case len(all):
		return text, nil
	case 0:
		return nil, nil
	}
	var edits []edit
	cut := func(doc *ast.CommentGroup, n ast.Node) {
		from := n.Pos()
		if doc != nil {
			from = doc.Pos()
		}
		end := set.Position(n.End()).Offset
		if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
			end += i + 1
		}
		edits = append(edits, edit{set.Position(from).Offset, end, ""})
	}
	used := map[string]bool{}
	for _, d := range left {
		eachName(d.node, func(name string) { used[name] = true })
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if gone[d] {
				cut(d.Doc, d)
			}
		case *ast.GenDecl:
			drop := func(spec ast.Spec) bool { return gone[spec] }
			if d.Tok == token.IMPORT {
				drop = func(spec ast.Spec) bool { return !used[importName(spec.(*ast.ImportSpec))] }
			}
			if !slices.ContainsFunc(d.Specs, func(s ast.Spec) bool { return !drop(s) }) {
				cut(d.Doc, d)
				continue
			}
			for _, spec := range d.Specs {
				if drop(spec) {
					cut(specDoc(spec), spec)
				}
			}
		}
	}
	return format.Source(apply(text, edits))
}

// specDoc returns the comment before a spec.
func specDoc(spec ast.Spec) *ast.CommentGroup {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return spec.Doc
	case *ast.ValueSpec:
		return spec.Doc
	case *ast.ImportSpec:
		return spec.Doc
	}
	return nil
}

// importName returns the name that a file uses for an import.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	name, _ := strconv.Unquote(spec.Path.Value) // the parser took it
	return path.Base(name)
}

// members returns the names of fields and methods that files use.
func members(files map[string][]byte) (map[string]bool, error) {
	names := map[string]bool{}
	for name, text := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		useMembers(f, names)
	}
	return names, nil
}

// useMembers adds the names of fields and methods that a file uses.
func useMembers(f *ast.File, names map[string]bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			names[n.Sel.Name] = true
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				names[key.Name] = true
			}
		}
		return true
	})
}
