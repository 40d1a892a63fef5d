// Schemapack writes the schemas into one compressed file, and what a program carries beside them
// into another. Programs with the build tag packed have these in the place of the plain ones:
//
//	go run ./internal/schemapack schema/packed.txtar.gz internal/shipped/packed.json.gz
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/tools/txtar"

	"github.com/ccwire/ccwire/internal/gztext"
	"github.com/ccwire/ccwire/internal/shipped"
	"github.com/ccwire/ccwire/schema"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "schemapack:", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) != 2 {
		return errors.New("name the files to write")
	}
	rest, err := shipped.Pack()
	if err != nil {
		return err
	}
	if err := replace(args[1], rest); err != nil {
		return err
	}
	archive := &txtar.Archive{}
	err = fs.WalkDir(schema.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(schema.Files(), name)
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: text})
		return err
	})
	if err != nil {
		return err
	}
	text := txtar.Format(archive)
	for i, f := range txtar.Parse(text).Files {
		if f.Name != archive.Files[i].Name || !bytes.Equal(f.Data, archive.Files[i].Data) {
			return fmt.Errorf("%s cannot be packed: it has a line that looks like the name of a file", archive.Files[i].Name)
		}
	}
	packed, err := gztext.Pack(text)
	if err != nil {
		return err
	}
	return replace(args[0], packed)
}

// replace writes a file in one step, since others may build with it at the same time.
func replace(name string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if err := errors.Join(err, temp.Chmod(0o644), temp.Close()); err != nil {
		os.Remove(temp.Name())
		return err
	}
	return os.Rename(temp.Name(), name)
}
