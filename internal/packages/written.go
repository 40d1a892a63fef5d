package packages

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"github.com/ccwire/ccwire/internal/packages/archive"
)

// Written returns the files of a folder that were written by hand, below bin executable. One whose
// name ends in .tmpl is a template that gets data, and loses that end.
func Written(files fs.FS, folder string, data any) (entries []archive.Entry, err error) {
	err = fs.WalkDir(files, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		inside := strings.TrimPrefix(name, folder+"/")
		if plain, ok := strings.CutSuffix(inside, ".tmpl"); ok {
			inside = plain
			if text, err = fill(name, text, data); err != nil {
				return err
			}
		}
		entries = append(entries, archive.Entry{Path: inside, Data: text, Exec: path.Dir(inside) == "bin"})
		return nil
	})
	return entries, err
}

func fill(name string, text []byte, data any) ([]byte, error) {
	t, err := template.New(path.Base(name)).Option("missingkey=error").Parse(string(text))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, data)
	return out.Bytes(), err
}

// Common returns what every package has: the licence, and where the package comes from.
func (s *Source) Common() ([]archive.Entry, error) {
	provenance, err := JSON(s.Info)
	return []archive.Entry{{Path: "LICENSE", Data: s.Licence}, {Path: "provenance.json", Data: provenance}}, err
}

// JSON writes a value as people read it.
func JSON(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return out.Bytes(), err
}
