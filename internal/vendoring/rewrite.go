package vendoring

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/buildinfo"
)

// A rewriter makes a file of the copy out of a source file.
type rewriter struct {
	names   map[string]string // new names of packages
	imports map[string]string // new paths of imports
	info    buildinfo.Info
}

// An edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// file returns the file of the copy for a source file, given its path in the module.
func (r *rewriter) file(name string, text []byte) ([]byte, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	offset := func(p token.Pos) int { return set.Position(p).Offset }
	var edits []edit
	if to, ok := r.names[f.Name.Name]; ok {
		edits = append(edits, edit{offset(f.Name.Pos()), offset(f.Name.End()), to})
		edits = append(edits, renameInComments(f, offset, f.Name.Name, to)...)
	}
	for _, spec := range f.Imports {
		from, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		to, ok := r.imports[from]
		if !ok && strings.Contains(from, ".") {
			return nil, fmt.Errorf("%s imports %s, which the copy does not have", name, from)
		}
		if ok {
			edits = append(edits, edit{offset(spec.Path.Pos()), offset(spec.Path.End()), r.importSpec(spec, from, to)})
		}
	}
	out, err := format.Source(apply(text, edits)) // the order of imports may have changed
	if err != nil {
		return nil, err
	}
	return append([]byte(r.header(name)), dropHeader(out)...), nil
}

// importSpec writes an import of a package that is at another path now. If it has another name too,
// the file goes on to call it by the old one.
func (r *rewriter) importSpec(spec *ast.ImportSpec, from, to string) string {
	old := path.Base(from)
	if name, ok := r.names[old]; ok && name != old && spec.Name == nil {
		return old + " " + strconv.Quote(to)
	}
	return strconv.Quote(to)
}

// renameInComments replaces a package's name where a comment says "Package name" or qualifies an
// identifier with it.
func renameInComments(f *ast.File, offset func(token.Pos) int, from, to string) (edits []edit) {
	name := regexp.MustCompile(`\bPackage (` + from + `)\b|\b(` + from + `)\.[A-Z]`)
	for _, group := range f.Comments {
		for _, c := range group.List {
			at := offset(c.Pos())
			for _, m := range name.FindAllStringSubmatchIndex(c.Text, -1) {
				start, end := m[2], m[3]
				if start < 0 {
					start, end = m[4], m[5]
				}
				edits = append(edits, edit{at + start, at + end, to})
			}
		}
	}
	return edits
}

// apply makes the edits, which do not overlap.
func apply(text []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out []byte
	last := 0
	for _, e := range edits {
		out = append(append(out, text[last:e.start]...), e.text...)
		last = e.end
	}
	return append(out, text[last:]...)
}

const generated = "// Code generated "

// dropHeader takes away the header that a generated file has already.
func dropHeader(text []byte) []byte {
	if !bytes.HasPrefix(text, []byte(generated)) {
		return text
	}
	_, rest, _ := bytes.Cut(text, []byte("\n\n"))
	return rest
}

// header says where a file comes from.
func (r *rewriter) header(name string) string {
	return fmt.Sprintf(generated+"by protogen vendor. DO NOT EDIT.\n"+
		"// Source: %s/%s, ccwire %s, schema revision %s.\n"+
		"// SPDX-License-Identifier: MIT\n\n", modulePath, name, r.info.Version, r.info.SchemaRevision)
}
