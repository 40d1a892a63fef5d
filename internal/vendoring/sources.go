package vendoring

import (
	"io/fs"
	"path"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/internal/generator"
	"github.com/ccwire/ccwire/schema"
)

// Sources returns the files that a copy is made of: those that are given, and what is generated for
// gen/wire, which is made anew of the schemas.
func Sources(handwritten fs.FS) (fs.FS, error) {
	var all txtar.Archive
	err := fs.WalkDir(handwritten, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(handwritten, name)
		all.Files = append(all.Files, txtar.File{Name: name, Data: text})
		return err
	})
	if err != nil {
		return nil, err
	}
	generated, err := generator.Generate(schema.Files())
	if err != nil {
		return nil, err
	}
	for name, text := range generated {
		if !strings.HasSuffix(name, "_test.go") {
			all.Files = append(all.Files, txtar.File{Name: path.Join(wirePackage, name), Data: text})
		}
	}
	return txtar.FS(&all)
}
