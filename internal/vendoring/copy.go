package vendoring

import (
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/ccwire/ccwire/internal/buildinfo"
)

// Options say what to copy, and where.
type Options struct {
	Dir     string         // the folder to write to; it need not exist
	Package string         // the name of the package in Dir; "" means the folder's name
	Force   bool           // overwrite and remove files of the copy that were edited since
	Sources fs.FS          // the module's files: those of the packages, LICENSE
	Info    buildinfo.Info // for the headers
}

// A Copy is what the folder is to hold.
type Copy struct {
	Dir        string // absolute
	ImportPath string // of the package in Dir
	Package    string

	force bool
	files map[string][]byte // by slash-separated path from Dir, without the manifest
}

const (
	modulePath = "github.com/ccwire/ccwire"
	licence    = "LICENSE"
	licenceTo  = "LICENSE.ccwire"
)

// packages are the source packages, as paths in the module, and the folders of their copies below
// the first.
var packages = []struct{ from, to string }{
	{"gen/wire", ""},
	{"gen/wire/internal/run", "internal/run"},
	{"codec", "codec"},
	{"internal/jsontext", "internal/jsontext"},
}

// New prepares a copy. Nothing is written yet.
func New(o Options) (*Copy, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	importPath, err := findImportPath(dir)
	if err != nil {
		return nil, err
	}
	c := &Copy{Dir: dir, ImportPath: importPath, Package: o.Package, force: o.Force, files: map[string][]byte{}}
	if c.Package == "" {
		c.Package = filepath.Base(dir)
	}
	if err := checkPackageName(c.Package); err != nil {
		return nil, err
	}
	rewrite := rewriter{
		names:   map[string]string{path.Base(packages[0].from): c.Package},
		imports: map[string]string{},
		info:    o.Info,
	}
	for _, p := range packages {
		rewrite.imports[modulePath+"/"+p.from] = path.Join(importPath, p.to)
	}
	for _, p := range packages {
		if err := c.add(o.Sources, p.from, p.to, rewrite); err != nil {
			return nil, err
		}
	}
	text, err := fs.ReadFile(o.Sources, licence)
	c.files[licenceTo] = text
	return c, err
}

// add adds the files of a source package, as they are to be in the subfolder to.
func (c *Copy) add(sources fs.FS, from, to string, r rewriter) error {
	entries, err := fs.ReadDir(sources, from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(sources, path.Join(from, name))
		if err != nil {
			return err
		}
		if text, err = r.file(path.Join(from, name), text); err != nil {
			return err
		}
		c.files[path.Join(to, name)] = text
	}
	return nil
}

// checkPackageName rejects what cannot be the name of a package to import.
func checkPackageName(name string) error {
	switch {
	case !token.IsIdentifier(name) || name == "_":
		return fmt.Errorf("%q cannot be the name of a Go package: choose one with --package", name)
	case name == "main":
		return errors.New(`a package named "main" cannot be imported: choose another name with --package`)
	}
	return nil
}
