package vectors

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/ccwire/ccwire/schema"
)

// All returns every vector, by [Sources] and then in the order of the schemas, of package framing,
// and of the recordings' versions.
func All() ([]Vector, error) {
	set := schema.Default()
	titles, err := set.BundleNames()
	if err != nil {
		return nil, err
	}
	m := &maker{set, titles}
	all := append(append(m.examples(), m.rejects()...), streams()...)
	recorded, err := m.recorded()
	return append(all, recorded...), err
}

// Write writes vectors with a header before them, one on each line.
func Write(w io.Writer, all []Vector) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(Header{Format, schema.Default().Revision(), len(all)}); err != nil {
		return err
	}
	for i := range all {
		if err := enc.Encode(&all[i]); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteFile writes vectors to a file.
func WriteFile(name string, all []Vector) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(Write(f, all), f.Close())
}

// WriteFolder writes a file for each source, named after it, to a folder, which is made if it does
// not exist.
func WriteFolder(dir string, all []Vector) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, source := range Sources {
		var some []Vector
		for _, v := range all {
			if v.Source == source {
				some = append(some, v)
			}
		}
		if err := WriteFile(filepath.Join(dir, string(source)+".ndjson"), some); err != nil {
			return err
		}
	}
	return nil
}
