package schemaedit

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// readFiles returns the schemas below dir, those of transcript files included, by their
// slash-separated paths.
func readFiles(dir string) (map[string][]byte, error) {
	texts := map[string][]byte{}
	fsys := os.DirFS(dir)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "conformance"): // as schema.Load does
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".json":
			return nil
		}
		texts[name], err = fs.ReadFile(fsys, name)
		return err
	})
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("there are no schemas in %s", dir)
	}
	return texts, err
}

// writeFiles writes those of the files that are not as they were, and returns their names.
func writeFiles(dir string, were, are map[string][]byte) (changed []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(are)) {
		if bytes.Equal(were[name], are[name]) {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), are[name], 0o644); err != nil {
			return changed, err
		}
		changed = append(changed, name)
	}
	return changed, nil
}
