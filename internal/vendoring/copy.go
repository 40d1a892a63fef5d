package vendoring

import (
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ccwire/ccwire/internal/buildinfo"
)

// Options say what to copy, and where. If none of Package, Only, For, Recorded and With is set, and
// the folder has a copy, they are those that it was made with.
type Options struct {
	Dir     string // the folder to write to; it need not exist
	Package string // the name of the package in Dir; "" means the folder's name
	Force   bool   // overwrite and remove files of the copy that were edited since

	// Only are the types to have: areas of the schemas, names of [Names], patterns of these, a list
	// of [Presets]; and what to leave out, with a minus before its name. None means all.
	Only []string
	// For is the folder of a module: the types that its code uses are there.
	For string
	// Recorded leaves out members and arms that no CLI was recorded to write or to take. The
	// members are kept in Extra.
	Recorded bool
	With     []string // parts to copy besides the types: see [Parts]

	Sources fs.FS          // the module's files: those of the packages, LICENSE
	Info    buildinfo.Info // for the headers
}

// whole reports whether the copy is to have all types.
func (o *Options) whole() bool { return len(o.Only) == 0 && o.For == "" && !o.Recorded }

// A Copy is what the folder is to hold.
type Copy struct {
	Dir        string // absolute
	ImportPath string // of the package in Dir
	Package    string

	force bool
	flags flags
	files map[string][]byte // by slash-separated path from Dir, without the manifest
}

const (
	modulePath = "github.com/ccwire/ccwire"
	licence    = "LICENSE"
	licenceTo  = "LICENSE.ccwire"
)

// A pkg is a source package, as its path in the module, and the folder of its copy.
type pkg struct{ from, to string }

// The packages of every copy. The first is copied to the folder itself.
const (
	wirePackage     = "gen/wire"
	runPackage      = "gen/wire/internal/run"
	codecPackage    = "codec"
	jsontextPackage = "internal/jsontext"
)

// packages are what every copy has.
var packages = []pkg{
	{wirePackage, ""},
	{runPackage, "internal/run"},
	{codecPackage, "codec"},
	{jsontextPackage, "internal/jsontext"},
}

// transport is the part with a session over the CLI.
const transport = "transport"

// Parts are what Options.With may name.
var Parts = []string{transport}

var transportPackages = []pkg{
	{"transport", "transport"},
	{"transport/cli", "transport/cli"},
	{"internal/tail", "internal/tail"},
}

// New prepares a copy. Nothing is written yet.
func New(o Options) (*Copy, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	old, _ := readManifest(dir) // a damaged one is refused when it is compared with the copy
	old.Flags.remember(&o, dir)
	if err := checkChoice(o); err != nil {
		return nil, err
	}
	list, oldest := packages, OldestGo
	if slices.Contains(o.With, transport) {
		list, oldest = slices.Concat(packages, transportPackages), OldestGoWithTransport
	}
	importPath, err := findImportPath(dir, oldest)
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
	if c.flags, err = flagsOf(o, dir); err != nil {
		return nil, err
	}
	sources, err := c.readSources(o, list, old)
	if err != nil {
		return nil, err
	}
	rewrite := rewriter{
		names:   map[string]string{path.Base(wirePackage): c.Package},
		imports: map[string]string{},
		info:    o.Info,
	}
	for _, p := range list {
		rewrite.imports[modulePath+"/"+p.from] = path.Join(importPath, p.to)
	}
	for _, p := range list {
		if err := c.add(sources[p.from], p, rewrite); err != nil {
			return nil, err
		}
	}
	if doc, ok := c.files[docFile]; ok {
		c.files[docFile] = append(doc, "\n//go:generate "+c.flags.command(o.Info.Version)+"\n"...)
	}
	text, err := fs.ReadFile(o.Sources, licence)
	c.files[licenceTo] = text
	return c, err
}

// docFile is the file with the package comment.
const docFile = "doc.go"

// readSources returns the files of the packages, by the path of the package.
func (c *Copy) readSources(o Options, list []pkg, old manifest) (sources map[string]map[string][]byte, err error) {
	sources = map[string]map[string][]byte{}
	for _, p := range list {
		if sources[p.from], err = goFiles(o.Sources, p.from); err != nil {
			return nil, err
		}
	}
	if o.whole() {
		return sources, nil
	}
	used := uses{}
	if o.For != "" {
		if used, err = usesBelow(o.For, c, old); err != nil {
			return nil, err
		}
	}
	sources[wirePackage], err = subset(sources[wirePackage], o, used)
	return sources, err
}

// goFiles reads the files of a source package, without its tests.
func goFiles(sources fs.FS, folder string) (map[string][]byte, error) {
	entries, err := fs.ReadDir(sources, folder)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		name := e.Name()
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if files[name], err = fs.ReadFile(sources, path.Join(folder, name)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// add adds the files of a source package.
func (c *Copy) add(files map[string][]byte, p pkg, r rewriter) error {
	for name, text := range files {
		text, err := r.file(path.Join(p.from, name), text)
		if err != nil {
			return err
		}
		c.files[path.Join(p.to, name)] = text
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
