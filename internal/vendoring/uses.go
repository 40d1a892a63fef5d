package vendoring

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ccwire/ccwire/internal/generator"
	"github.com/ccwire/ccwire/schema"
)

// uses are the names that the code of a module uses of the types.
type uses struct {
	names   map[string]bool // of the package
	members map[string]bool // of fields and methods, of whatever type
	files   int             // that import the package
}

// A userScan finds the uses of a package in the Go files below a folder. It looks at the source
// alone, so that the package need not be there, or be up to date.
type userScan struct {
	imports map[string]string // names of the packages to look for, by import path
	dir     string            // of the copy
	own     map[string]bool   // files of the copy, by slash-separated path from dir
	found   uses
}

// usesBelow returns what the module in a folder uses of the copy, or of the package that it is a
// copy of. The files of the copy do not count; those that others have put beside them do.
func usesBelow(dir string, c *Copy, old manifest) (uses, error) {
	s := &userScan{
		imports: map[string]string{c.ImportPath: c.Package, modulePath + "/" + wirePackage: path.Base(wirePackage)},
		dir:     c.Dir,
		own:     map[string]bool{},
		found:   uses{names: map[string]bool{}, members: map[string]bool{}},
	}
	for name := range old.Files {
		s.own[name] = true
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return uses{}, err
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return skipFolder(dir, name)
		case filepath.Ext(name) == ".go":
			return s.file(name)
		}
		return nil
	})
	if err == nil && s.found.files == 0 {
		err = fmt.Errorf("no Go file in %s imports %s: write the code that uses it first, or choose with --only", dir, c.ImportPath)
	}
	return s.found, err
}

// skipFolder returns fs.SkipDir for a folder that is not part of the module at root.
func skipFolder(root, name string) error {
	base := filepath.Base(name)
	if name == root {
		return nil
	}
	if base == "vendor" || base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

// file adds what a file uses.
func (s *userScan) file(name string) error {
	below, err := filepath.Rel(s.dir, name)
	if err != nil {
		return err
	}
	if s.own[filepath.ToSlash(below)] {
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if filepath.Dir(name) == s.dir && !strings.HasSuffix(f.Name.Name, "_test") { // of the package itself
		s.found.files++
		eachName(f, func(n string) { s.found.names[n] = true })
		useMembers(f, s.found.members)
		return nil
	}
	packages := map[string]bool{}
	for _, spec := range f.Imports {
		from, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		as, ok := s.imports[from]
		if !ok {
			continue
		}
		if spec.Name != nil {
			as = spec.Name.Name
		}
		switch as {
		case "_":
		case ".":
			return fmt.Errorf("%s imports %s with a dot: give it a name, so that it shows what is used", name, from)
		default:
			packages[as] = true
		}
	}
	if len(packages) == 0 {
		return nil
	}
	s.found.files++
	useMembers(f, s.found.members)
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && packages[id.Name] {
				s.found.names[sel.Sel.Name] = true
			}
		}
		return true
	})
	return nil
}

// toolNames are names of the package that need the unions of tools.
var toolNames = []string{"ToolInput", "ToolResult", "ToolText", "UnknownToolInput", "UnknownToolResult", "DecodeToolInput", "DecodeToolResult"}

// choose adds what is used to a choice: the definitions of the names, and of those that the
// hand-written declarations among them need.
func (u uses) choose(choice *generator.Choice, handwritten map[string][]byte) error {
	owners, err := generator.Owners(schema.Files())
	if err != nil {
		return err
	}
	if err := u.follow(handwritten); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(u.names)) {
		choice.Definitions = append(choice.Definitions, owners[name]...)
		choice.Tools = choice.Tools || slices.Contains(toolNames, name)
	}
	choice.Tools = choice.Tools || u.members["TypedInput"] || u.members["TypedResult"] || u.members["AllowWith"]
	if choice.Definitions == nil {
		choice.Definitions = []string{"envelope/frame.json"} // what is used is in every copy
	}
	for name := range u.members {
		choice.Keep[name] = true
	}
	return nil
}

// follow adds the names that hand-written declarations with a used name need, and those that a used
// method of a used type needs.
func (u uses) follow(handwritten map[string][]byte) error {
	var all []declaration
	for name, text := range handwritten {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		all = append(all, declarations(f)...)
	}
	for again := true; again; {
		again = false
		all = slices.DeleteFunc(all, func(d declaration) bool {
			wanted := slices.ContainsFunc(d.names, func(n string) bool { return u.names[n] })
			if f, ok := d.node.(*ast.FuncDecl); ok && f.Recv != nil && u.members[f.Name.Name] {
				eachName(f.Recv, func(n string) { wanted = wanted || u.names[n] })
			}
			if wanted {
				eachName(d.node, func(n string) { u.names[n] = true })
				again = true
			}
			return wanted
		})
	}
	return nil
}

// checkFor rejects a folder to look at that is not there.
func checkFor(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--for %s: there is no such folder", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("--for %s: it is not a folder", dir)
	}
	return nil
}
